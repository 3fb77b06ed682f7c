package paper

// showPictures shows what commands drew, on white.
func showPictures(p *Part, d *partData, results Results) (blocks []Block) {
	for _, t := range d.Tables {
		for _, u := range p.Units {
			if r := results[u.Name]; r != nil && u.Name == t.Units[0] {
				blocks = append(blocks, Block{Picture: &Picture{Name: u.Name, Alt: t.Caption, SVG: r.Files[u.Files[0]]}})
			}
		}
	}
	return blocks
}
