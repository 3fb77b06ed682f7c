package points

// rivals returns the transforms that were found besides one, are as good as it and take points elsewhere: those of points that look the
// same after a turn or a mirror.
func (s *search) rivals(best *found, to similarity) (all []similarity) {
	const sampled, share, error = 256, 0.97, 1.25
	ids := s.a.everyOf(sampled)
	for _, f := range s.all {
		if f.keeps != best.keeps || f.share < share*best.share || f.error > error*best.error+1e-6 {
			continue
		}
		other := s.apart(&f.similarity, &to, ids)
		for k := range all {
			other = other && s.apart(&f.similarity, &all[k], ids)
		}
		if other {
			all = append(all, f.similarity)
		}
	}
	return all
}

// apart reports whether two transforms take some of the points to different ones of B.
func (s *search) apart(t, u *similarity, ids []int32) bool {
	const some = 0.1
	other := 0
	for _, i := range ids {
		if y := t.of(s.a.at[i]); y.apart(u.of(s.a.at[i])) > s.reach[s.b.nearest(y, 1, &s.q)[0].ID] {
			other++
		}
	}
	return float64(other) > some*float64(len(ids))
}

// Agreeing returns which share of the transforms that are as good take a point of A to one of B: 1 where there is but one.
func (m *Match) Agreeing(i, a int) float64 {
	agree := 1
	for k := range m.rivals {
		if m.rivals[k].of(m.a.at[i]).apart(m.b.at[a]) <= m.reach[a] {
			agree++
		}
	}
	return float64(agree) / float64(1+len(m.rivals))
}
