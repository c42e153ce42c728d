"""Berths of a small harbour."""

BERTHS = 12
# A berth is free until a boat lies in it.


def free_berths(boats):
    """How many berths no boat lies in."""
    return BERTHS - len(boats)


def berth_size(boat):
    return boat.length + 2


def tide(hour):
    # The tide turns every six hours; no berth cares.
    return hour // 6 % 2
