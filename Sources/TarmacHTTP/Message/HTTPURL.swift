/// An absolute `http` or `https` URL that has been parsed and checked (RFC 3986, RFC 9110 §4.2).
///
/// Spaces and characters outside ASCII in path and query are percent-encoded as UTF-8. A fragment is removed,
/// because it is never sent to the server. A URL with user information is refused: credentials belong in a
/// header.
public struct HTTPURL: Hashable, Sendable {
    // The values are behind one reference, because stages pass a URL on far more often than they make one.
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
    /// The host in lower case. An IPv6 address keeps its brackets.
    public var host: String { storage.host }
    /// The port as written, or `nil` for the default port of the scheme.
    public var port: Int? { storage.port }
    /// The path. It is never empty.
    public var path: String { storage.path }
    /// The query without its question mark. `nil` if there is none.
    public var query: String? { storage.query }
    /// The path for display, if the path holds a secret.
    private var maskedPath: String? { storage.maskedPath }

    package init(scheme: String, host: String, port: Int?, path: String, query: String?, maskedPath: String? = nil) {
        storage = Storage(
            scheme: scheme, host: host, port: port == (scheme == "https" ? 443 : 80) ? nil : port,
            path: path.isEmpty ? "/" : path, query: query, maskedPath: maskedPath)
    }

    /// Parses an absolute URL.
    ///
    /// - Throws: `TarmacError(.invalidURL)` with the reason why the URL is not valid.
    public init(_ text: String) throws(TarmacError) {
        self = try HTTPURLParser.parse(text)
    }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { scheme == "https" }

    /// The host and the port as in the Host field (RFC 9110 §7.2).
    package var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// The path and the query as in a request line (RFC 9112 §3.2.1).
    public var requestTarget: String { query.map { "\(path)?\($0)" } ?? path }

    /// The scheme, the host and the port (RFC 6454 §4).
    package var origin: WebOrigin { WebOrigin(scheme: scheme, host: host, port: port ?? (isSecure ? 443 : 80)) }

    /// The whole URL as a text.
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

    /// Returns the URL with another query.
    public func with(query: String?) -> HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query, maskedPath: maskedPath)
    }

    /// Returns the URL with another text for the display of its path.
    package func showing(path maskedPath: String) -> HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query, maskedPath: maskedPath)
    }

    /// The path for display.
    package var shownPath: String { maskedPath ?? path }

    /// Whether the path holds a secret.
    package var hidesPath: Bool { shownPath != path }

    /// The displayed path of a URL that the server derived from a URL with a secret path: it may repeat the
    /// secret anywhere.
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
    /// The URL without the values of its query, because they may be secrets.
    public var description: String {
        "\(scheme)://\(authority)\(shownPath)" + (query == nil ? "" : "?…")
    }
}

extension HTTPURL: MaskedReflectable {}
