import HTTPTypes
import TarmacCore
import TarmacSupport

/// Tells the answers of a server from those of a device on the way (pure).
enum OutboxAnswer {
    /// Throws if a success is a page of HTML instead of the expected content: a captive portal answers every request with one.
    ///
    /// - Throws: `TarmacError(.unacceptableContentType)`.
    static func check(_ response: Response, to mutation: OutboxMutation, _ context: CallContext) throws(TarmacError) {
        // Who names the types of the answer has said that a page is one, and the verdict has judged it.
        guard context.options.values.acceptableContentTypes == .automatic, !acceptsHTML(mutation.headers[.accept]), isPage(response) else { return }
        throw TarmacError(
            .unacceptableContentType, phase: .judging, "the answer is a page of HTML, as that of a captive portal",
            suggestion: "if the server answers so, send Accept: text/html, or set acceptableContentTypes to .any")
    }

    private static func acceptsHTML(_ accept: String?) -> Bool { accept?.lowercased().contains("html") ?? false }

    /// Whether the response is HTML by its beginning. Many servers call every text HTML, and some portals call their page JSON, so the type
    /// does not tell.
    static func isPage(_ response: Response) -> Bool {
        let type = MediaType(response.headers[.contentType])
        let isText = type.map { $0.essence.hasPrefix("text/") || $0.essence == "application/xhtml+xml" || $0.isJSON } ?? true
        guard isText, let body = response.body.collected else { return false }
        let beginning = String(decoding: body.prefix(512).array, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(14).lowercased()
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    }
}
