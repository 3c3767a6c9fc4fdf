#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacMasking

/// Converts requests and responses for a cassette: secrets are masked, and fields are sorted by name.
struct CassetteMask: Sendable {
    let redactor: Redactor
    /// The secrets of the request, which a response may repeat. A request is recorded without them, so that it is compared by
    /// what it says itself.
    private let known: KnownSecrets

    init(_ redactor: Redactor) {
        // The usual names of JSON members, also with a redactor that knows other names alone.
        let usual: Set = ["accesstoken", "refreshtoken", "idtoken", "sessiontoken", "clientsecret", "sessionid"]
        self.init(redactor.adding(parameters: usual.subtracting(redactor.shownNames)), KnownSecrets())
    }

    private init(_ redactor: Redactor, _ known: KnownSecrets) { (self.redactor, self.known) = (redactor, known) }

    /// Returns the mask with the names of one call.
    private func adding(_ request: Request) -> CassetteMask { CassetteMask(request.redactor(over: redactor), KnownSecrets()) }

    /// Returns the mask for the response to a request.
    private func answering(_ request: Request) -> CassetteMask {
        let mask = adding(request)
        return CassetteMask(mask.redactor, mask.redactor.known(in: request))
    }

    // MARK: Messages

    func request(_ request: Request) -> HAR.Request {
        let mask = adding(request), url = mask.redactor.url(request.url)
        return HAR.Request(
            method: request.method.rawValue, url: url, cookies: mask.cookies(request.headers), headers: mask.fields(request.headers),
            queryString: Self.pairs(ofQueryIn: url), postData: mask.postData(request), bodySize: request.body.length.map { Int($0) } ?? -1)
    }

    private func postData(_ request: Request) -> HAR.PostData? {
        let type = request.headers[.contentType] ?? request.body.contentType ?? ""
        switch request.body.content {
        case .none: return nil
        case .file, .stream: return HAR.PostData(mimeType: type)
        case .bytes(let bytes):
            // The boundary differs each time, and the parts may be anything.
            if type.lowercased().hasPrefix("multipart/") { return HAR.PostData(mimeType: String(type.prefix { $0 != ";" })) }
            if request.secrets.isBody { return HAR.PostData(mimeType: type, text: Redactor.mask) }
            let (text, encoding) = text(bytes, type: type)
            return HAR.PostData(mimeType: type, text: text, encoding: encoding)
        }
    }

    func response(_ response: Response, body: Bytes, to request: Request) -> HAR.Response {
        let mask = answering(request), type = response.headers[.contentType] ?? ""
        let (text, encoding) = mask.text(body, type: type)
        let location = response.headers.first { $0.name == .location }.map(mask.value(of:))
        return HAR.Response(
            status: response.status.code, statusText: mask.maskingKnown(response.status.reasonPhrase), httpVersion: response.version?.description ?? "HTTP/1.1",
            cookies: mask.cookies(response.headers), headers: mask.fields(response.headers, hasLength: request.method == .head),
            content: HAR.Content(size: body.count, mimeType: type, text: text, encoding: encoding), redirectURL: location ?? "")
    }

    // MARK: URLs

    /// Returns the URL of an entry in the form of ``request(_:)``, whichever program wrote it.
    func url(_ text: String) -> String {
        let text = String(text.prefix { $0 != "#" })
        // A hidden path is no valid URL.
        guard !text.contains("…"), let url = try? HTTPURL(text) else { return reference(text) }
        return redactor.url(url)
    }

    /// Masks a URL or a part of one.
    private func reference(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        return text[...mark] + redactor.form(String(text[text.index(after: mark)...]))
    }

    private static func pairs(ofQueryIn url: String) -> [HAR.Pair] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: mark)...].split(separator: "&").map { pair(String($0)) }
    }

    private static func pair(_ text: String) -> HAR.Pair {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return HAR.Pair(name: halves[0], value: halves.count == 2 ? halves[1] : "")
    }

    // MARK: Fields

    /// Returns the fields sorted by name; fields with the same name keep their order. Fields that depend on the body,
    /// the connection or the time are left out, and so are identifiers of a single call.
    private func fields(_ fields: HTTPFields, hasLength: Bool = false) -> [HAR.Pair] {
        let kept = fields.filter { !Self.passing.contains($0.name.canonicalName) || hasLength && $0.name == .contentLength }.enumerated()
        let sorted = kept.sorted { ($0.element.name.canonicalName, $0.offset) < ($1.element.name.canonicalName, $1.offset) }
        return sorted.map { HAR.Pair(name: $0.element.name.rawName, value: value(of: $0.element)) }
    }

    private static let passing: Set<String> = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "date", "traceparent", "tracestate", "baggage",
        "idempotency-key", "x-request-id", "x-correlation-id",
    ]

    private func value(of field: HTTPField) -> String {
        maskingKnown(ownValue(of: field))
    }

    private func maskingKnown(_ text: String) -> String {
        known.isEmpty ? text : SecretText(names: .none, in: .inAddresses, known: known).masked(text) { _ in Redactor.mask }
    }

    /// Masks the value of a field. The names and attributes of cookies stay, because a replayed cookie jar needs them.
    private func ownValue(of field: HTTPField) -> String {
        switch field.name {
        case .setCookie: Self.maskedCookie(field.value)
        case .cookie: field.value.split(separator: ";").map { Self.maskedCookie($0.trimmingPrefix { $0 == " " }) }.joined(separator: "; ")
        case .location, .contentLocation, .referer: (try? HTTPURL(field.value)).map(redactor.url) ?? reference(field.value)
        default: redactor.value(of: field)
        }
    }

    private static func maskedCookie(_ text: some StringProtocol) -> String {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].firstIndex(of: "=").map { String(parts[0][...$0]) } ?? ""
        return name + Redactor.mask + (parts.count == 2 ? ";\(parts[1])" : "")
    }

    private func cookies(_ fields: HTTPFields) -> [HAR.Pair] {
        fields.filter { $0.name == .cookie || $0.name == .setCookie }.flatMap { field in
            let pairs = value(of: field).split(separator: "; ").map { Self.pair(String($0)) }
            return field.name == .cookie ? pairs : Array(pairs.prefix(1))
        }
    }

    // MARK: Bodies

    /// Returns a body as text, or in Base64 if it is not text.
    func text(_ bytes: Bytes, type: String) -> (text: String?, encoding: String?) {
        if bytes.isEmpty { return ("", nil) }
        let type = type.lowercased(), isForm = type.hasPrefix("application/x-www-form-urlencoded")
        guard let text = bytes.withUnsafeBytes({ String(validUTF8: $0) }) else {
            // In another charset secrets cannot be found and masked.
            if isForm || type.contains("json") || type.hasPrefix("text/") { return (Redactor.mask, nil) }
            return (bytes.withUnsafeBytes { Array($0) }.base64Text, "base64")
        }
        if isForm { return (maskingKnown(redactor.form(text)), nil) }
        // Also JSON with another media type.
        return (redactor.text(text, known: known), nil)
    }
}

extension [UInt8] {
    fileprivate var base64Text: String { Data(self).base64EncodedString() }
}
