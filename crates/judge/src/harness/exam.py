def etude_tests(function, seed):
    import copy
    import random

    made = large() if seed is None else [make(random.Random(seed))]
    return [[args, globals()[function](*copy.deepcopy(args))] for args in made]
