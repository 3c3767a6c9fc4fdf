/// The names of header fields that say who asks, or for whom, and that ``SecretNames`` does not contain: `X-User-Id`, `X-Tenant-Id`,
/// `Ticket`. They may be shown, but no one else is given them.
package enum CallerName {
    /// The kinds of what a field may reveal.
    package enum Kind: Sendable, Equatable {
        /// It names someone, as a URL may.
        case name
        /// It names a device, which all its users share.
        case device
        /// It lets someone in, so that no value derived from it may be in a file.
        case secret
    }

    /// Returns what a field says about who asks, or `nil` for nothing.
    package static func kind(of name: String) -> Kind? {
        let small = name.lowercased()
        if common.contains(small) || unrelated.contains(where: small.hasPrefix) { return nil }
        return kind(ofWords: words(of: name))
    }

    private static func kind(ofWords words: [String]) -> Kind? {
        guard let last = words.last else { return nil }
        let saysWho = words.contains { people.contains($0) || places.contains($0) && $0 != "client" }
        // The name of a request, and keys that no one opens anything with.
        if requests.contains(last), !saysWho { return nil }
        if ends.contains(last), let before = words.dropLast().last, requests.contains(before) { return nil }
        // Some servers give what they know of a user in one field.
        if last == "info" || last == "data", words.contains(where: people.contains) { return .name }
        if facts.contains(last) { return nil }
        // The name of a user says who asks, that of a client which app does.
        if last == "name", !saysWho { return nil }
        if words.contains(where: isSecret) { return .secret }
        if words.contains(where: isIdentity) { return .name }
        if words.contains(where: { devices.contains($0) || devices.contains($0.hasSuffix("id") ? String($0.dropLast(2)) : $0) }) { return .device }
        // What else has an identifier may be someone. Those that belong to a request or an app are listed above.
        return last == "as" || ends.contains(last) && !isOfApp(words) ? .name : nil
    }

    /// Whether an identifier is of an app, or the code or number of a mere fact.
    private static func isOfApp(_ words: [String]) -> Bool {
        guard let before = words.dropLast().last else { return false }
        return apps.contains(before) || facts.contains(before) && ["code", "number", "no"].contains(words.last)
    }

    private static func isSecret(_ word: String) -> Bool {
        secrets.contains(word) || ["key", "token", "ticket", "secret"].contains { word.count > $0.count && word.hasSuffix($0) }
    }

    private static let wordEnds = ["id", "uuid", "name", "code", "number", "no", "info", "mail", "email", "phone", "hash"]

    private static func isIdentity(_ word: String) -> Bool {
        if people.contains(word) || places.contains(word) { return true }
        // Names without a joint, such as `userid` and `xtenantid`.
        for end in wordEnds where word.count > end.count + 2 && word.hasSuffix(end) {
            let stem = word.dropLast(end.count)
            for stem in [stem, stem.hasPrefix("x") ? stem.dropFirst() : stem] {
                if people.contains(String(stem)) || places.contains(String(stem)) && !(end == "name" && stem == "client") { return true }
            }
        }
        return false
    }

    /// Returns the words of a name in lower case, cut at joints and where a capital follows a small letter.
    private static func words(of name: String) -> [String] {
        var words: [String] = [], word = "", wasSmall = false
        for byte in name.utf8 {
            let isCapital = (65...90).contains(byte), isLetter = isCapital || (97...122).contains(byte)
            if !isLetter || isCapital && wasSmall {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isLetter { word.unicodeScalars.append(UnicodeScalar(byte | 0x20)) }
            wasSmall = isLetter && !isCapital
        }
        if !word.isEmpty { words.append(word) }
        return words.first == "x" ? Array(words.dropFirst()) : words
    }

    /// The fields of nearly every request, so that their names are not cut.
    private static let common: Set<String> = [
        "accept", "accept-encoding", "accept-language", "user-agent", "authorization", "cookie", "content-type", "cache-control", "if-none-match",
        "if-modified-since", "traceparent", "tracestate", "baggage", "x-request-id", "range", "origin", "referer", "idempotency-key", "priority",
    ]
    private static let unrelated = ["access-control-", "sec-ch-", "sec-fetch-", "sec-websocket-", "x-b3-"]
    private static let requests: Set<String> = [
        "request", "requests", "correlation", "trace", "span", "idempotency", "transaction", "message", "event", "operation", "attempt", "retry",
        "cache", "surrogate", "sort", "partition", "page", "routing", "websocket", "batch", "debug", "parent", "call", "log", "flow", "invocation",
        "nonce", "sequence", "activity", "interaction", "exchange", "job", "hop", "query", "connection",
    ]
    /// Last words of names of one thing among many.
    private static let ends: Set<String> = ["id", "ids", "key", "uuid", "guid", "number", "no", "code"]
    /// Things of an app whose identifiers say nothing of its user.
    private static let apps: Set<String> = ["app", "application", "api", "bundle", "package", "release", "version", "build", "feature", "experiment"]
    /// Last words of names that describe a client or a device and do not identify it.
    private static let facts: Set<String> = [
        "version", "versions", "build", "type", "kind", "model", "os", "platform", "agent", "locale", "language", "languages", "lang", "timezone",
        "zone", "time", "date", "timestamp", "count", "memory", "width", "height", "size", "orientation", "brand", "manufacturer", "format", "hints",
        "hint", "info", "encoding", "timeout", "network", "dpr", "country", "currency", "region", "theme", "mode", "features", "channel", "protocol",
    ]
    /// Words for people, so that also `name` and `email` of them identify.
    private static let people: Set<String> = [
        "user", "users", "uid", "userid", "username", "account", "acct", "member", "customer", "consumer", "subscriber", "profile", "person",
        "identity", "identities", "openid", "unionid", "uin", "staff", "operator", "emp", "subject", "sub", "principal", "actor", "viewer", "visitor", "guest",
        "patient", "student", "employee", "owner",
        "holder", "driver", "player", "contact", "caller", "login", "logon", "email", "mail", "phone", "mobile", "msisdn", "impersonate",
        "impersonated", "impersonation", "me", "author", "reader", "citizen", "payer", "buyer", "passenger", "rider", "doctor", "teacher", "candidate",
        "usuario", "utilisateur", "benutzer", "kunde", "behalf", "delegate", "sudo", "persona", "child", "household", "family", "from", "nickname", "upn", "dn",
        "cust", "stu", "mailbox", "handle", "nick", "alias", "policyholder", "whoami", "admin", "oidc",
    ]
    /// Words for what someone belongs to, holds or may do.
    private static let places: Set<String> = [
        "tenant", "org", "orgs", "organization", "organisation", "company", "team", "workspace", "project", "merchant", "partner", "shop",
        "store", "seller", "vendor", "client", "session", "sess", "sid", "role", "roles", "group", "groups", "scope", "scopes",
        "permission", "permissions", "claim", "claims", "entitlement", "entitlements", "subscription", "oid", "realm", "domain",
        "namespace", "mandant", "business", "entity", "agency", "wallet", "cart", "basket", "database", "schema", "stripe", "department", "site", "school",
        "clinic", "hospital", "branch", "license", "dept",
    ]
    private static let devices: Set<String> = ["device", "installation", "idfa", "idfv", "udid", "imei", "adid", "fingerprint", "did", "imsi"]
    private static let secrets: Set<String> = [
        "access", "ticket", "tickets", "key", "keys", "token", "tokens", "auth", "authentication", "authorization", "authenticated", "secret",
        "credential", "credentials", "password", "passcode", "pin", "jwt", "bearer", "assertion", "signature", "cert", "certificate", "cookie",
        "sso", "oauth", "saml", "pass", "passport", "grant", "challenge", "card", "ssn", "invite", "invitation", "pairing",
    ]
}
