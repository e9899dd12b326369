import { Links, Meta, Outlet } from "@remix-run/react";

export const links = () => [{ rel: "stylesheet", href: "/style.css" }];

export default function App() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Links />
      </head>
      <body>
        <Outlet />
      </body>
    </html>
  );
}
