//! Finds the cycles in a graph. Two nodes are in one component when each leads to the other.

/// Returns the component of each node, by Tarjan's algorithm without recursion. `steps` lists where each node
/// leads.
pub(crate) fn components(steps: &[Vec<u32>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; steps.len()];
    let mut low = vec![0; steps.len()];
    let mut part = vec![NEW; steps.len()];
    let mut stack = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let (mut clock, mut parts) = (0, 0);
    for root in 0..steps.len() as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let at = *node as usize;
            if *next == 0 {
                (order[at], low[at]) = (clock, clock);
                clock += 1;
                stack.push(*node);
            }
            if let Some(to) = steps[at].get(*next).map(|to| *to as usize) {
                *next += 1;
                if order[to] == NEW {
                    path.push((to as u32, 0));
                } else if part[to] == NEW {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    part[member as usize] = parts;
                    if member as usize == at {
                        break;
                    }
                }
                parts += 1;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent as usize] = low[*parent as usize].min(low[at]);
            }
        }
    }
    part
}
