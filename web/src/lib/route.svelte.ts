/** The current path of the page. Links are real links; clicks on them stay inside the page. */
class Route {
  path = $state(location.pathname);
  query = $state(location.search);

  get parts(): string[] {
    return this.path.split('/').filter(Boolean).map(decodeURIComponent);
  }

  go(to: string, replace = false): void {
    if (to === this.path + this.query) return;
    history[replace ? 'replaceState' : 'pushState']({}, '', to);
    this.read();
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }

  read(): void {
    this.path = location.pathname;
    this.query = location.search;
  }
}

export const route = new Route();

addEventListener('popstate', () => route.read());
document.addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download') || link.pathname.startsWith('/api/')) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  route.go(link.pathname + link.search);
});
