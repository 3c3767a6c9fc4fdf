package import HTTPTypes
package import TarmacCore
import TarmacSupport

/// Tells the answers of a server from those of a device on the way (pure).
package enum PortalPage {
    /// Throws if a success is a page of HTML instead of the expected content: a captive portal answers every request with one.
    ///
    /// - Parameters:
    ///   - accept: The types that the request asks for.
    ///   - isHead: Whether the response has no body, so that its type alone counts.
    /// - Throws: `TarmacError(.unacceptableContentType)`.
    package static func check(_ response: Response, accepting accept: String?, isHead: Bool = false, _ context: CallContext) throws(TarmacError) {
        // A call that names the types of its answer has said that a page is one, and the verdict has judged it.
        guard context.options.values.acceptableContentTypes == .automatic, !acceptsHTML(accept),
            let body = response.body.collected, isPage(response.headers, body) || isHead && isHTML(response.headers)
        else { return }
        throw TarmacError(
            .unacceptableContentType, phase: .judging, "the answer is a page of HTML, as that of a captive portal",
            suggestion: "if the server answers so, send Accept: text/html, or set acceptableContentTypes to .any")
    }

    private static func acceptsHTML(_ accept: String?) -> Bool { accept?.lowercased().contains("html") ?? false }

    /// Whether the response is HTML by its beginning. Many servers call every text HTML, and some portals call their page JSON, so the type
    /// does not tell.
    package static func isPage(_ headers: HTTPFields, _ body: Bytes) -> Bool {
        let type = MediaType(headers[.contentType])
        let isText = type.map { $0.essence.hasPrefix("text/") || $0.essence == "application/xhtml+xml" || $0.isJSON } ?? true
        guard isText else { return false }
        let isHTML = type == nil || isHTML(headers)
        var text = String(decoding: body.prefix(1_024).array, as: UTF8.self).lowercased()[...]
        while true {
            text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\0" }
            if text.hasPrefix("<!--"), let end = text.firstRange(of: "-->") {
                text = text[end.upperBound...]
            } else if text.hasPrefix("<?"), let end = text.firstRange(of: "?>") {
                text = text[end.upperBound...]
            } else {
                break
            }
        }
        if text.hasPrefix("<!doctype") { return text.dropFirst(9).drop { $0.isWhitespace }.hasPrefix("html") }
        guard text.first == "<" else { return false }
        let name = String(text.dropFirst().prefix { $0.isLetter || $0.isNumber })
        return name == "html" || isHTML && elements.contains(name)
    }

    private static func isHTML(_ headers: HTTPFields) -> Bool {
        MediaType(headers[.contentType]).map { $0.essence == "text/html" || $0.essence == "application/xhtml+xml" } ?? false
    }

    /// The elements that a page without its outer ones begins with.
    private static let elements: Set<String> = [
        "head", "title", "meta", "link", "style", "script", "noscript", "base", "body", "center", "div", "p", "h1", "h2", "h3", "table", "form",
        "iframe", "frameset", "img", "a", "font", "br",
    ]
}
