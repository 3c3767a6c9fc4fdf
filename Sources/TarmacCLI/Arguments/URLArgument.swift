#if Tools
import Tarmac

/// A URL as people type it.
enum URLArgument {
    /// Without a scheme it is https, and http for this machine: `localhost:8080/users`, `:8080/users`, `example.com`.
    static func url(_ text: String) throws(TarmacError) -> HTTPURL {
        if text.contains("://") { return try HTTPURL(text) }
        let whole = text.hasPrefix(":") || text.hasPrefix("/") ? "localhost\(text)" : text
        return try HTTPURL((isLocal(whole) ? "http://" : "https://") + whole)
    }

    private static func isLocal(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
        let name = host.prefix { $0 != ":" }.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.")
    }
}
#endif
