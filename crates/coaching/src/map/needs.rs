//! Computes with needs between positions of a list: an order with needs first, depths, and cycles.

/// Returns the positions, ordered so that needs come first. Positions on a cycle, and those that need one, are
/// left out.
pub(crate) fn order<N: Copy + Into<usize>>(needs: &[Vec<N>]) -> Vec<usize> {
    let mut needed_by = vec![Vec::new(); needs.len()];
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    for (at, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|need| needed_by[(*need).into()].push(at));
    }
    let mut ordered: Vec<usize> = (0..needs.len()).filter(|at| open[*at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = ordered.get(next) {
        for &later in &needed_by[at] {
            open[later] -= 1;
            if open[later] == 0 {
                ordered.push(later);
            }
        }
        next += 1;
    }
    ordered
}

/// Returns some cycle, in which each position needs the next and the last needs the first.
pub(crate) fn cycle<N: Copy + Into<usize>>(needs: &[Vec<N>]) -> Option<Vec<usize>> {
    let mut is_ordered = vec![false; needs.len()];
    order(needs).into_iter().for_each(|at| is_ordered[at] = true);
    // Every position that could not be ordered needs another one that could not be ordered either.
    let mut at = is_ordered.iter().position(|ordered| !ordered)?;
    let mut steps = vec![None; needs.len()];
    let mut path = Vec::new();
    loop {
        if let Some(step) = steps[at].replace(path.len()) {
            return Some(path.split_off(step));
        }
        path.push(at);
        at = needs[at].iter().map(|need| (*need).into()).find(|need| !is_ordered[*need])?;
    }
}

/// Returns for each position the number of needs in the longest chain below it.
pub(crate) fn depths<N: Copy + Into<usize>>(needs: &[Vec<N>]) -> Vec<u32> {
    let mut depths = vec![0; needs.len()];
    for at in order(needs) {
        depths[at] = needs[at].iter().map(|need| depths[(*need).into()] + 1).max().unwrap_or(0);
    }
    depths
}
