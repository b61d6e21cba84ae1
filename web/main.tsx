import './styles/main.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { readSession } from './lib/session.js';
import { patterns } from './routes.js';
import { Broken } from './shell/broken.js';
import { NotFound } from './shell/not-found.js';
import { Shell } from './shell/shell.js';
import './lib/settings.js';

/** Links to these are no pages. */
const PAGES = /^\/(?!api\/|assets\/|health|metrics)/;

function App() {
  const [broken, setBroken] = useState(false);
  return (
    <LocationProvider scope={PAGES}>
      <Shell>
        {broken ? (
          <Broken />
        ) : (
          <ErrorBoundary onError={() => setBroken(true)}>
            <Router onRouteChange={() => setBroken(false)}>
              {patterns.map(([path, component]) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        )}
      </Shell>
    </LocationProvider>
  );
}

void readSession();
render(<App />, document.getElementById('app')!);
