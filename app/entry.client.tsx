import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RemixBrowser } from "#app/remix/react.ts";
import { keepDocument, keepPage } from "#app/ui/kept-page.tsx";

window.fetch = keepPage(window.fetch);
keepDocument();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
