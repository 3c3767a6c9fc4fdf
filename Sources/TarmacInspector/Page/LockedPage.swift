#if Inspector
/// The page at an address without the token. The page of the inspector takes the token out of the address bar and keeps it for its tab, so a
/// reload arrives here, and goes on with it.
enum LockedPage {
    static func html(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Tarmac</title><meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <style nonce="\(nonce)">body { font: 15px/1.6 system-ui, sans-serif; margin: 12vh auto; max-width: 34em; padding: 0 1em; }</style></head>
        <body><h1>Tarmac</h1>
        <p>The token is missing or wrong. Open the URL that the program printed when it started.</p>
        <p lang="zh-CN">缺少 token，或 token 不正确。请打开程序启动时输出的 URL。</p>
        <script nonce="\(nonce)">\(script)</script></body></html>
        """
    }

    /// A token that the server refuses is forgotten, so that the page does not load again and again.
    private static let script = #"""
        (() => {
          "use strict";
          const name = "tarmac-token", kept = sessionStorage.getItem(name);
          sessionStorage.removeItem(name);
          if (kept && !location.search) location.replace("/?token=" + encodeURIComponent(kept));
        })();
        """#
}
#endif
