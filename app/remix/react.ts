// All that pages take from Remix, in the browser and where they are rendered.
export * from "@remix-run/react";
