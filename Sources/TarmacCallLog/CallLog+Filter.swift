extension CallLog {
    /// Selects calls. Every condition that is not `nil` must hold.
    ///
    /// ```swift
    /// log.entries(where: .init(service: "shop", statusClass: 5))
    /// ```
    public struct Filter: Sendable, Hashable {
        /// A host of any of the call's requests, without its port.
        public var host: String?
        public var service: String?
        public var endpoint: String?
        public var method: String?
        /// The first digit of the status: 2 for 200 to 299.
        public var statusClass: Int?
        public var state: Entry.State?
        /// A text that the URL, a name, a header field, a body, an event or the error contains, in any case.
        public var text: String?

        public init(
            host: String? = nil, service: String? = nil, endpoint: String? = nil, method: String? = nil, statusClass: Int? = nil,
            state: Entry.State? = nil, text: String? = nil
        ) {
            (self.host, self.service, self.endpoint, self.method) = (host, service, endpoint, method)
            (self.statusClass, self.state, self.text) = (statusClass, state, text)
        }

        /// Whether a call matches.
        public func matches(_ entry: Entry) -> Bool {
            isMet(service) { $0 == entry.service } && isMet(endpoint) { $0 == entry.endpoint } && isMet(state) { $0 == entry.state }
                && isMet(statusClass) { $0 == entry.status.map { $0 / 100 } }
                && isMet(method) { method in entry.messages.contains { $0.method == method.uppercased() } }
                && isMet(host) { host in entry.messages.contains { $0.host == host.lowercased() } }
                && isMet(text) { text in entry.texts.contains { $0.contains(text, ignoringCase: true) } }
        }

        private func isMet<Value>(_ value: Value?, _ holds: (Value) -> Bool) -> Bool { value.map(holds) ?? true }
    }
}

extension CallLog.Entry {
    fileprivate var messages: [CallLog.Request] { (request.map { [$0] } ?? []) + attempts.map(\.request) }

    /// The texts that a search looks at.
    fileprivate var texts: [String] {
        let answers = (response.map { [$0] } ?? []) + attempts.compactMap(\.response)
        let failures = (failure.map { [$0] } ?? []) + attempts.compactMap(\.failure)
        return [endpoint, service] + tags + messages.flatMap(\.texts) + answers.flatMap { $0.headers.flatMap(\.texts) + ($0.body?.texts ?? []) }
            + failures.map(\.text) + events.map(\.text)
    }
}

extension CallLog.Request {
    /// The host of the URL, in lower case.
    var host: String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // An IPv6 address has colons in its brackets.
        return (authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }).lowercased()
    }

    fileprivate var texts: [String] { [method, url] + headers.flatMap(\.texts) + (body?.texts ?? []) }
}

extension CallLog.Field {
    fileprivate var texts: [String] { [name, value] }
}

extension CallLog.Body {
    fileprivate var texts: [String] { text.map { [$0] } ?? [] }
}

extension String {
    fileprivate func contains(_ other: String, ignoringCase: Bool) -> Bool { other.isEmpty || lowercased().contains(other.lowercased()) }
}
