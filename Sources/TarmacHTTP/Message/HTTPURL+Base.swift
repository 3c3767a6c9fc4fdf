extension HTTPURL {
    /// Returns the base URL for resources at a path below this URL.
    package func below(_ subPath: String) -> HTTPURL {
        let rest = subPath.utf8.first == UInt8(ascii: "/") ? subPath : "/\(subPath)"
        return HTTPURL(scheme: scheme, host: host, port: port, path: Self.trimmed(path) + rest, query: query)
    }

    /// Returns the same resource below another base URL, or `nil` if this URL is not below the first.
    package func moved(from base: HTTPURL, to other: HTTPURL) -> HTTPURL? {
        guard origin == base.origin, let rest = Self.rest(of: path, below: base.path), let shown = Self.rest(of: shownPath, below: base.path),
            let query = Self.rest(ofQuery: query, behind: base.query)
        else { return nil }
        let prefix = Self.trimmed(other.path)
        let queries = [other.query, query].compactMap { $0 }.filter { !$0.isEmpty }
        return HTTPURL(
            scheme: other.scheme, host: other.host, port: other.port, path: prefix + rest,
            query: queries.isEmpty ? query : queries.joined(separator: "&"), maskedPath: hidesPath ? prefix + shown : nil)
    }

    private static func trimmed(_ path: String) -> String {
        path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
    }

    /// Returns the part of a path that is below a base, including its leading slash.
    private static func rest(of path: String, below base: String) -> String? {
        if path == hiddenPath { return path }
        let base = trimmed(base)
        guard path.hasPrefix(base) else { return nil }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") ? String(rest) : nil
    }

    /// Returns the part of a query that follows the query of a base. `.some(nil)` if nothing follows.
    private static func rest(ofQuery query: String?, behind base: String?) -> String?? {
        guard let base, !base.isEmpty else { return .some(query) }
        guard let query, query.hasPrefix(base) else { return nil }
        let rest = query.dropFirst(base.count)
        if rest.isEmpty { return .some(nil) }
        return rest.utf8.first == UInt8(ascii: "&") ? .some(String(rest.dropFirst())) : nil
    }
}

/// A path between the base URL of a host and the routes below it.
package enum SubPath {
    /// Returns the reason why a path cannot be used, or `nil` if it can.
    package static func fault(of text: String) -> String? {
        if text.contains(where: { $0 == "?" || $0 == "#" }) { return "a path has neither query nor fragment" }
        if text.contains(where: { $0 == "{" || $0 == "}" }) { return "it is no template" }
        if text.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { return "it has a dot segment" }
        do throws(TarmacError) {
            try HTTPURLParser.refuseControls(in: text)
            _ = try HTTPURLParser.target(text[...], whole: text)
            return nil
        } catch { return error.reason }
    }

    /// Returns the path as it is sent. Paths that cannot be used are refused earlier.
    package static func encoded(_ text: String) -> String {
        (try? HTTPURLParser.target(text[...], whole: text))?.path ?? text
    }
}
