"""The pairs and files of MATCHING_RESULTS, "Trained on pairs of the same kind", that nothing was made for.

own_pairs.py descriptors|space|roads|words FOLDER    400 pairs of files, for rgm train affinity --pairs FOLDER
own_pairs.py views FOLDER                            20 views of an object, and 20 others in FOLDER-other
own_pairs.py hotel FOLDER hotel_xy.npy               the same of frames of CMU's hotel, 30 landmarks

Names tell the truth: nodes of one name match.
"""
import json, os, sys
import numpy as np
kind, out, count = sys.argv[1], sys.argv[2], 400
r = np.random.default_rng(77 if kind in ('views', 'hotel') else 5)
os.makedirs(out, exist_ok=True)


def view(folder, name, points, keep, extra):
    """Writes some of the points, and strangers in their box."""
    os.makedirs(folder, exist_ok=True)
    low, high = points.min(0), points.max(0)
    rows = [(f'L{i}', *points[i]) for i in r.permutation(len(points))[:keep]]
    rows += [(f's{name}_{j}', *(low + (high - low) * r.random(2))) for j in range(extra)]
    r.shuffle(rows)
    with open(f'{folder}/{name}.csv', 'w') as w:
        w.write('name,x,y\n')
        for name, x, y in rows:
            w.write(f'{name},{float(x):.2f},{float(y):.2f}\n')


if kind == 'hotel':
    for k, points in enumerate(np.load(sys.argv[3])[::2]):
        view(out if k % 2 else out + '-other', f'f{k:03d}', points, 15, 3)
    sys.exit()
if kind == 'views':
    thing = r.random((14, 2))
    for k in range(40):
        view(out if k % 2 else out + '-other', f'v{k:03d}', 100 * (thing + .02 * r.normal(size=thing.shape)), 12, 2)
    sys.exit()
lines = ['first,second,known']
def csv(name, cols, rows):
    r.shuffle(rows)
    with open(f'{out}/{name}', 'w') as w:
        w.write(','.join(cols) + '\n')
        for row in rows: w.write(','.join(x if isinstance(x, str) else f'{x:.4f}' for x in row) + '\n')
for k in range(count):
    if kind == 'descriptors':   # points on a few blobs, seen turned and scaled; 4 descriptors, noise .6 of their spread, six of them alike; strangers with descriptors
        n, o1, o2 = r.integers(8, 15), r.integers(0, 8), r.integers(0, 8)
        c = r.normal(size=(3, 2)) * 2; p = c[r.integers(3, size=n)] + r.normal(size=(n, 2))
        d = r.normal(size=(6, 4))[r.integers(6, size=n)] + .5 * r.normal(size=(n, 4))
        t = r.uniform(0, 2 * np.pi); R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) * r.uniform(.6, 1.6)
        for g, o in ((0, o1), (1, o2)):
            q = p + .12 * r.normal(size=p.shape); lo, hi = p.min(0), p.max(0)
            e = d + .6 * r.normal(size=d.shape)
            s = lo + (hi - lo) * r.random((o, 2)); f = r.normal(size=(6, 4))[r.integers(6, size=o)] + .8 * r.normal(size=(o, 4))
            rows = [(f'i{i}', *q[i], *e[i]) for i in range(n)] + [(f's{g}_{i}', *s[i], *f[i]) for i in range(o)]
            rows = [(x[0], *(np.array(x[1:3]) @ (R.T if g else np.eye(2))), *x[3:]) for x in rows]
            csv(f'{k:04d}{"ab"[g]}.csv', ['name', 'x', 'y', 'd1', 'd2', 'd3', 'd4'], rows)
        ext = 'csv'
    elif kind == 'space':       # points in space, as of a molecule's atoms: steps of a walk; outliers 0 to 8 in one graph and 0 to 3 in the other
        n = r.integers(8, 14); steps = r.normal(size=(n, 3)); steps /= np.linalg.norm(steps, axis=1)[:, None]
        p = 1.5 * np.cumsum(steps, 0)
        for g, o in ((0, r.integers(0, 9)), (1, r.integers(0, 4))):
            q = p + .25 * r.normal(size=p.shape); s = q.mean(0) + q.std() * r.normal(size=(o, 3))
            csv(f'{k:04d}{"ab"[g]}.csv', ['name', 'x', 'y', 'z'], [(f'i{i}', *q[i]) for i in range(n)] + [(f's{g}_{i}', *s[i]) for i in range(o)])
        ext = 'csv'
    else:                       # 'roads': graphs of junctions with words that change and lengths of roads; 'words': the same without lengths
        n = r.integers(14, 23); p = r.random((n, 2)); D = np.linalg.norm(p[:, None] - p[None], axis=2)
        edges = sorted({tuple(sorted((i, int(j)))) for i in range(n) for j in np.argsort(D[i])[1:4]})
        word = r.integers(5, size=n); bond = {e: int(r.integers(3)) for e in edges}
        for g in (0, 1):
            keep = [i for i in range(n) if r.random() > .2]; extra = int(r.integers(0, 4)); new = list(range(100 + 10 * g, 100 + 10 * g + extra))
            w = {i: int(word[i]) if r.random() > .25 else int(r.integers(5)) for i in keep} | {i: int(r.integers(5)) for i in new}
            es = [(i, j, D[i, j] * np.exp(.15 * r.normal()), bond[i, j] if r.random() > .2 else int(r.integers(3))) for i, j in edges if i in keep and j in keep and r.random() > .1]
            for i in new:
                for j in r.choice(keep, size=3, replace=False): es.append((i, int(j), .25 * np.exp(.5 * r.normal()), int(r.integers(3))))
            nodes = keep + new; r.shuffle(nodes)
            doc = {'directed': False, 'multigraph': False, 'graph': {}, 'nodes': [{'id': f'j{i}', 'kind': f'k{w[i]}'} for i in nodes],
                   'links': [{'source': f'j{i}', 'target': f'j{j}', 'surface': f's{b}'} | ({'length': round(float(l), 4)} if kind == 'roads' else {}) for i, j, l, b in es]}
            json.dump(doc, open(f'{out}/{k:04d}{"ab"[g]}.json', 'w'))
        ext = 'json'
    lines.append(f'{k:04d}a.{ext},{k:04d}b.{ext},')
open(f'{out}/pairs.csv', 'w').write('\n'.join(lines) + '\n')
