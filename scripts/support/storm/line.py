"""A straight line through the memory of a process, by least squares."""

import statistics

# Samples one second apart resemble each other. Their means over longer times do so less.
BATCHES = 40
# The widest interval, in bytes a call, of which the word flat is used. A short run has a wider one.
WIDEST = 256


def means(points):
    """Returns the means of points that follow each other, in at most ``BATCHES`` groups of the same size."""
    size = max(len(points) // BATCHES, 1)
    groups = [points[start:start + size] for start in range(0, len(points) - size + 1, size)]
    return [tuple(statistics.fmean(column) for column in zip(*group)) for group in groups]


def slope(points):
    """Returns the slope with its 95 % interval, as (slope, low, high), or None for too few points.

    :param points: pairs of x and y in the order of time.
    """
    batches = means(points)
    count = len(batches)
    if count < 8 or batches[0][0] == batches[-1][0]:
        return None
    x, y = zip(*batches)
    middle = statistics.fmean(x)
    spread = sum((each - middle) ** 2 for each in x)
    fit = statistics.linear_regression(x, y)
    rest = [b - fit.intercept - fit.slope * a for a, b in batches]
    squares = sum(each * each for each in rest)
    # What still resembles its neighbour counts as fewer points.
    alike = max(0.0, sum(a * b for a, b in zip(rest, rest[1:])) / squares) if squares else 0.0
    freedom = max(count * (1 - alike) / (1 + alike) - 2, 1)
    error = (squares / freedom / spread) ** 0.5
    margin = error * quantile(freedom)
    return fit.slope, fit.slope - margin, fit.slope + margin


def quantile(freedom):
    """Returns the 97.5 % quantile of Student's t, within 4 % from three degrees of freedom on."""
    return 1.96 + 2.37 / freedom + 2.82 / freedom ** 2


def shown(found):
    """Returns the growth in bytes a call. It is flat only where the interval holds zero, and says something."""
    if found is None:
        return "too few samples"
    middle, low, high = found
    return f"{middle:.1f} ({low:.1f}…{high:.1f})" + (": flat" if low <= 0 <= high and high - low <= WIDEST else "")
