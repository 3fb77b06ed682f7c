"""F1 of `rgm train affinity --like` on files that it did not see, beside the affinities that ship, on the same pairs.

like.py RGM NAME LANDMARKS.npy KEEP STRANGERS STEP

Of every STEP-th view of some landmarks (views × landmarks × 2) KEEP landmarks and some strangers in their box are written as NAME/*.csv
and NAME-other/*.csv, in turns. Names tell the truth and are not compared. The first folder is trained on, 120 pairs of the second judge.
"""
import itertools, json, os, subprocess, sys
import numpy as np

rgm, name = sys.argv[1:3]
views = np.load(sys.argv[3]).astype(float)
keep, strangers, step = map(int, sys.argv[4:])
r = np.random.default_rng(91)


def write(folder, file, points):
    os.makedirs(folder, exist_ok=True)
    low, high = points.min(0), points.max(0)
    rows = [(f'L{i}', *points[i]) for i in r.permutation(len(points))[:keep]]
    rows += [(f's{file}_{j}', *(low + (high - low) * r.random(2))) for j in range(strangers)]
    r.shuffle(rows)
    with open(f'{folder}/{file}.csv', 'w') as w:
        w.write('name,x,y\n' + ''.join(f'{a},{float(x):.2f},{float(y):.2f}\n' for a, x, y in rows))


def f1(a, b, affinity):
    """F1 in %, how many nodes are matched, and how many are in both."""
    out = subprocess.run([rgm, 'match', '--format', 'json', '--affinity', affinity, '--threads', '1', a, b],
                         capture_output=True, text=True, check=True).stdout
    names = [[line.split(',')[0] for line in open(f)][1:] for f in (a, b)]
    pairs = [(i, j) for i, j in enumerate(json.loads(out)['matching']) if j >= 0]
    right = sum(names[0][i] == names[1][j] for i, j in pairs)
    common = len(set(names[0]) & set(names[1]))
    return 200 * right / max(1, len(pairs) + common), len(pairs), common


for k, points in enumerate(views[::step]):
    write(name if k % 2 else name + '-other', f'f{k:03d}', points)
subprocess.run([rgm, 'train', 'affinity', '--like', name, '--out', 'runs/' + name], check=True)
files = sorted(os.path.join(name + '-other', f) for f in os.listdir(name + '-other'))
pairs = list(itertools.combinations(files, 2))
r.shuffle(pairs)
ships, trained = (np.array([f1(a, b, by) for a, b in pairs[:120]]) for by in ('learned', f'runs/{name}/model.onnx'))
ahead = trained[:, 0] - ships[:, 0]
print(f'{name}: {len(files)} files, {len(ahead)} pairs, {ships[:, 2].mean():.1f} nodes in both, matched {ships[:, 1].mean():.1f} and {trained[:, 1].mean():.1f}, '
      f'F1 {ships[:, 0].mean():.1f} and {trained[:, 0].mean():.1f}, ahead {ahead.mean():+.1f} ± {ahead.std(ddof=1) / len(ahead) ** .5:.1f}')
