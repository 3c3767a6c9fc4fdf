/// An absolute `http` or `https` URL, checked and split once (RFC 3986, RFC 9110 §4.2).
///
/// Spaces and characters outside ASCII in path and query are percent-encoded as UTF-8; a fragment is dropped, since it
/// never goes to the server. User information is refused: credentials belong in a header.
public struct HTTPURL: Hashable, Sendable {
    // One reference: a URL is handed from stage to stage far more often than it is made.
    private final class Storage: Sendable {
        let scheme: String
        let host: String
        let port: Int?
        let path: String
        let query: String?
        let maskedPath: String?

        init(scheme: String, host: String, port: Int?, path: String, query: String?, maskedPath: String?) {
            self.scheme = scheme
            self.host = host
            self.port = port
            self.path = path
            self.query = query
            self.maskedPath = maskedPath
        }
    }
    private let storage: Storage

    /// `http` or `https`.
    public var scheme: String { storage.scheme }
    /// The host, lower-cased; an IPv6 address keeps its brackets.
    public var host: String { storage.host }
    /// The port as written, `nil` for the scheme's default.
    public var port: Int? { storage.port }
    /// The path, never empty.
    public var path: String { storage.path }
    /// The query without its question mark.
    public var query: String? { storage.query }
    /// The path as it may be shown, when a secret stands in it.
    private var maskedPath: String? { storage.maskedPath }

    package init(scheme: String, host: String, port: Int?, path: String, query: String?, maskedPath: String? = nil) {
        storage = Storage(
            scheme: scheme, host: host, port: port == (scheme == "https" ? 443 : 80) ? nil : port,
            path: path.isEmpty ? "/" : path, query: query, maskedPath: maskedPath)
    }

    /// Parses an absolute URL; throws `TarmacError(.invalidURL)` naming what is wrong with it.
    public init(_ text: String) throws(TarmacError) {
        self = try HTTPURLParser.parse(text)
    }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { scheme == "https" }

    /// Host and port as the Host field has them (RFC 9110 §7.2).
    public var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// The path and the query as a request line has them (RFC 9112 §3.2.1).
    public var requestTarget: String { query.map { "\(path)?\($0)" } ?? path }

    /// Scheme, host and port (RFC 6454 §4).
    public var origin: WebOrigin { WebOrigin(scheme: scheme, host: host, port: port ?? (isSecure ? 443 : 80)) }

    /// The whole URL.
    public var string: String {
        var text = ""
        text.reserveCapacity(scheme.utf8.count + host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 10)
        text += scheme
        text += "://"
        text += host
        if let port { text += ":\(port)" }
        text += path
        if let query {
            text += "?"
            text += query
        }
        return text
    }

    /// The same URL with another query.
    public func with(query: String?) -> HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query, maskedPath: maskedPath)
    }

    /// The same URL with another text for its path where it is shown.
    package func showing(path maskedPath: String) -> HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query, maskedPath: maskedPath)
    }

    /// The path as it may be shown.
    package var shownPath: String { maskedPath ?? path }

    /// Whether a secret stands in the path.
    package var hidesPath: Bool { shownPath != path }

    /// What is shown of a URL the server made of one whose path hides a secret: it may repeat the secret anywhere.
    package static let hiddenPath = "/…"
}

extension HTTPURL {
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.scheme == right.scheme && left.host == right.host && left.port == right.port && left.path == right.path
            && left.query == right.query
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(host)
        hasher.combine(port)
        hasher.combine(path)
        hasher.combine(query)
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL without the values of its query, which may be secrets.
    public var description: String {
        "\(scheme)://\(authority)\(shownPath)" + (query == nil ? "" : "?…")
    }
}

extension HTTPURL: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
