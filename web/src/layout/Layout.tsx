import { Link, Outlet } from "@tanstack/react-router";
import mark from "@/mark.svg";
import { Toasts } from "@/components/Toasts";
import { useLiveEvents } from "@/live/useLiveEvents";
import { useSearchShortcut } from "@/search/useSearchShortcut";
import { Uploads } from "@/upload/Uploads";
import { AccountMenu } from "./AccountMenu";
import { PAGES } from "./pages";
import { ProjectSwitch } from "./ProjectSwitch";

/** Navigation at the side (at the bottom on phones) and the page content. */
export function Layout() {
  useSearchShortcut();
  useLiveEvents();
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <header className="flex shrink-0 items-center gap-3 border-b border-line bg-surface px-3 py-2 md:w-56 md:flex-col md:items-stretch md:border-r md:border-b-0 md:p-4">
        <Link to="/documents" className="flex items-center gap-2 font-semibold md:mb-2 md:text-lg">
          <img src={mark} alt="" className="size-7" />
          <span>Docsieve</span>
        </Link>
        <ProjectSwitch />
        <nav
          aria-label="Pages"
          className="fixed inset-x-0 bottom-0 z-40 flex justify-around border-t border-line bg-surface md:static md:mt-2 md:flex-col md:justify-start md:gap-1 md:border-0"
        >
          {PAGES.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className="flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 rounded-lg px-3 text-xs text-muted hover:bg-sunken hover:text-ink md:min-h-10 md:flex-none md:flex-row md:justify-start md:gap-3 md:text-sm"
              activeProps={{ className: "!text-accent md:bg-accent-soft font-medium" }}
            >
              <Icon aria-hidden className="size-5 md:size-4" />
              {label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto md:mt-auto md:ml-0">
          <AccountMenu />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-y-auto pb-14 outline-none md:pb-0">
        <Outlet />
      </main>
      <Uploads />
      <Toasts />
    </div>
  );
}
