#if Inspector
/// The page of the inspector: one document with its style and script, and nothing from anywhere else.
///
/// It holds no data. The script gets the calls from the server and sets them as text, never as markup; the policy of the page refuses the
/// rest.
enum Page {
    /// - Parameter nonce: the nonce of the response's policy, for the style and the script.
    static func html(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Tarmac</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <style nonce="\(nonce)">\(PageStyle.text)</style></head>
        <body>\(PageMarkup.text)<script nonce="\(nonce)">\(PageScript.text)</script></body></html>
        """
    }
}

/// The script of the page, in the order of its parts.
enum PageScript {
    static let text =
        "(() => {\n\"use strict\";\n" + words + reasons + tools + lists + board + viewer + difference + details + faults + answers + live + "\n})();\n"
}
#endif
