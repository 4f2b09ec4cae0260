import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SERVICE = process.env.DOCSIEVE_URL ?? "http://127.0.0.1:8400";

/** The service sends these as they are, so that no request pays for compression. Last of all, when nothing changes any more. */
function precompressed(): Plugin {
  return {
    name: "docsieve-precompressed",
    apply: "build",
    writeBundle({ dir }, bundle) {
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
      for (const fileName of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const path = join(dir ?? ".", fileName);
        const source = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(source, quality));
        writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), precompressed()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The service puts a fresh nonce in its place with every answer.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    outDir: "../src/docsieve/dashboard",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": SERVICE } },
});
