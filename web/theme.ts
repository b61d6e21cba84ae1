/** Runs before anything is drawn, so that a page does not begin in the wrong colours. */
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // A browser that keeps nothing for us: the system's colours hold.
}
