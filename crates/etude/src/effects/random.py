def etude_random(function, seed):
    import copy
    import random

    args = make(random.Random(seed))
    return [copy.deepcopy(args), globals()[function](*copy.deepcopy(args))]
