#!/usr/bin/env python3
"""Writes stats_vectors.json beside itself: reference values for the statistics.

    pip install scipy==1.17.1 statsmodels==0.15.0 numpy
    python make_vectors.py

Everything is computed by SciPy and statsmodels from fixed seeds; the file names their versions.
"""

import json
import pathlib
import sys

import numpy as np
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import power_proportions_2indep, proportion_confint

RESAMPLES = 60


def proportions():
    pairs = [(0, 1), (1, 1), (0, 2), (1, 2), (0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (7, 30),
             (29, 30), (30, 30), (48, 48), (0, 48), (50, 100), (99, 100), (1, 1000), (500, 1000),
             (999, 1000), (3, 20000), (12345, 20000), (1, 1000000), (250000, 1000000),
             (999999, 1000000), (1000000, 1000000), (0, 1000000)]
    cases = []
    for k, n in pairs:
        for level in (0.90, 0.95, 0.99):
            exact = stats.binomtest(k, n).proportion_ci(level, method="exact")
            wilson = proportion_confint(k, n, alpha=1 - level, method="wilson")
            cases.append({"k": k, "n": n, "level": level,
                          "clopper_pearson": [float(exact.low), float(exact.high)],
                          "wilson": [float(wilson[0]), float(wilson[1])]})
    return cases


def mcnemars():
    pairs = [(0, 0), (1, 0), (0, 1), (1, 1), (5, 0), (19, 1), (22, 0), (3, 9), (9, 3), (10, 10),
             (10, 11), (40, 60), (100, 160), (700, 800), (5000, 5200), (0, 900)]
    return [{"b": b, "c": c, "p": float(mcnemar([[7, b], [c, 11]], exact=True).pvalue)}
            for b, c in pairs]


def holms():
    families = [[0.04], [0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.9], [1.0, 0.0, 0.2, 0.2],
                [0.001, 0.002, 0.003, 0.9, 0.04, 0.04, 0.2]]
    return [{"p": p, "adjusted": [float(v) for v in multipletests(p, method="holm")[1]]}
            for p in families]


def detectable():
    cases = []
    for p1 in (0.0, 0.05, 0.3, 0.5, 0.83, 0.99):
        for n in (1, 5, 12, 30, 48, 200, 1000, 100000):
            for alpha, power in ((0.05, 0.8), (0.01, 0.9)):
                za, zb = stats.norm.ppf(1 - alpha / 2), stats.norm.ppf(power)

                def gap(d):
                    p2 = min(p1 + d, 1.0)
                    pooled = (p1 + p2) / 2
                    needed = (za * np.sqrt(2 * pooled * (1 - pooled))
                              + zb * np.sqrt(p1 * (1 - p1) + p2 * (1 - p2)))
                    return d * np.sqrt(n) - needed

                found = None
                if gap(1 - p1) >= 0:
                    low = 1e-12 if p1 == 0 else 0.0
                    found = optimize.brentq(gap, low, 1 - p1, xtol=1e-15, rtol=1e-15)
                    # The same test's power by another route (it adds the far tail, hence 1e-3).
                    check = power_proportions_2indep(found, p1, n, alpha=alpha, value=0,
                                                     return_results=False)
                    assert abs(check - power) < 1e-3, (p1, n, alpha, power, found, check)
                cases.append({"baseline": p1, "n": n, "alpha": alpha, "power": power,
                              "difference": found})
    return cases


def percentiles(rng):
    cases = []
    for n in (1, 2, 3, 4, 7, 100):
        values = [float(v) for v in rng.normal(3, 10, n).round(3)]
        cases.append({"values": values,
                      "percentiles": [[p, float(np.percentile(values, p))]
                                      for p in (0, 2.5, 25, 50, 90, 97.5, 100)]})
    return cases


def quantiles():
    ps = [1e-300, 1e-12, 1e-6, 0.001, 0.025, 0.05, 0.3, 0.5, 0.7, 0.9, 0.975, 0.999, 1 - 1e-9]
    return [[p, float(stats.norm.ppf(p))] for p in ps]


def betas():
    cases = []
    for a, b in ((0.5, 0.5), (1, 1), (1, 9), (2, 3), (30, 1), (480.0, 21.0), (12345, 7656),
                 (250000, 750001), (2, 999999)):
        for p in (1e-6, 0.005, 0.025, 0.5, 0.975, 0.999):
            cases.append({"a": a, "b": b, "p": p, "x": float(stats.beta.ppf(p, a, b))})
    return cases


def pooled(num, den, axis=-1):
    return num.sum(axis=axis) / den.sum(axis=axis)


def bootstraps(rng):
    """SciPy's own intervals on resamples that are stored, as positions, beside them."""
    samples = {
        "scores of twelve": (rng.integers(0, 65, 12) / 64, np.ones(12)),
        "skewed": (np.round(rng.exponential(3, 15), 4), np.ones(15)),
        "rates by cluster": (rng.integers(0, 6, 10).astype(float), rng.integers(5, 9, 10) * 1.0),
        "nearly all pass": (np.array([6, 6, 5, 6, 6, 6, 4, 6.0]), np.full(8, 6.0)),
        "two clusters": (np.array([1.0, 4.0]), np.array([3.0, 5.0])),
        "large": (np.round(rng.normal(5e4, 2e4, 25)), np.ones(25)),
    }
    cases = []
    for name, (num, den) in samples.items():
        n = len(num)
        draws = rng.integers(0, n, (RESAMPLES, n))
        replicates = pooled(num[draws], den[draws])
        for method in ("percentile", "BCa"):
            for level in (0.9, 0.95):
                given = stats._resampling.BootstrapResult(None, replicates, None)
                interval = stats.bootstrap((num, den), pooled, paired=True, vectorized=True,
                                           n_resamples=0, bootstrap_result=given, method=method,
                                           confidence_level=level).confidence_interval
                if np.isnan(interval.low):
                    continue
                cases.append({"name": name, "num": num.tolist(), "den": den.tolist(),
                              "draws": draws.tolist(), "kind": method.lower(), "level": level,
                              "interval": [float(interval.low), float(interval.high)]})
    return cases


def medians(rng):
    """A statistic that is no ratio: the median of cluster values."""
    values = np.round(rng.exponential(10, 11), 3)
    draws = rng.integers(0, 11, (RESAMPLES, 11))
    given = stats._resampling.BootstrapResult(None, np.median(values[draws], axis=-1), None)
    cases = []
    for method in ("percentile", "BCa"):
        interval = stats.bootstrap((values,), np.median, vectorized=True, n_resamples=0,
                                   bootstrap_result=given, method=method).confidence_interval
        cases.append({"values": values.tolist(), "draws": draws.tolist(), "kind": method.lower(),
                      "interval": [float(interval.low), float(interval.high)]})
    return cases


def sign_flips(rng):
    """Few enough that SciPy counts all changes of sign too."""
    cases = []
    for n in (2, 3, 5, 8, 12, 15):
        for shift in (0.0, 0.4, 2.0):
            d = np.round(rng.normal(shift, 1, n), 3)
            result = stats.permutation_test((d,), lambda x, axis: x.sum(axis=axis),
                                            permutation_type="samples", n_resamples=np.inf,
                                            vectorized=True)
            cases.append({"differences": d.tolist(), "p": float(result.pvalue)})
    return cases


def variation(rng):
    cases = []
    for n in (2, 5, 9):
        p, q = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))
        cases.append({"p": p.tolist(), "q": q.tolist(),
                      "distance": float(np.abs(p / p.sum() - q / q.sum()).sum() / 2)})
    return cases


def main():
    rng = np.random.default_rng(20)
    vectors = {
        "made_by": {"script": "make_vectors.py", "python": sys.version.split()[0],
                    "numpy": np.__version__, "scipy": scipy.__version__,
                    "statsmodels": statsmodels.__version__},
        "proportions": proportions(), "mcnemar": mcnemars(), "holm": holms(),
        "detectable": detectable(), "percentiles": percentiles(rng),
        "normal_quantiles": quantiles(), "beta_quantiles": betas(), "bootstrap": bootstraps(rng),
        "bootstrap_median": medians(rng), "total_variation": variation(rng),
        "sign_flip": sign_flips(np.random.default_rng(21)),
    }
    path = pathlib.Path(__file__).with_name("stats_vectors.json")
    lines = [f'"{name}": ' + ("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]"
                              if isinstance(cases, list) else json.dumps(cases))
             for name, cases in vectors.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
