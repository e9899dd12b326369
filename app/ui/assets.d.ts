/// <reference types="@remix-run/dev/dist/modules" />
