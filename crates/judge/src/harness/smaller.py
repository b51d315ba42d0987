def etude_smaller(function, args):
    import copy

    try:
        if valid(*copy.deepcopy(args)) is not True:
            return None
        return [globals()[function](*copy.deepcopy(args))]
    except Exception:
        return None
