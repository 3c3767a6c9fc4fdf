public import TarmacCore

/// What a call lands as, twice where something is stored: first that, then what the server says now.
///
/// ```swift
/// for try await update in client.updates(Feed()) { render(update.value, cached: update.source.isCache) }
/// ```
/// The calls are made as the values are asked for; leaving the loop makes no further one.
public struct Updates<E: Endpoint>: AsyncSequence, Sendable {
    public typealias Element = Landed<E.Value>

    private let client: Client
    private let endpoint: E
    private let options: Options

    init(_ client: Client, _ endpoint: E, _ options: Options) {
        self.client = client
        self.endpoint = endpoint
        self.options = options
    }

    public func makeAsyncIterator() -> Iterator { Iterator(client: client, endpoint: endpoint, options: options) }

    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case stored, fresh, over
        }
        private let client: Client
        private let endpoint: E
        private let options: Options
        private var step = Step.stored

        init(client: Client, endpoint: E, options: Options) {
            self.client = client
            self.endpoint = endpoint
            self.options = options
        }

        /// The next value; `nil` after the server's. What the server's call fails with is thrown, as ``Client/send(_:configure:)``
        /// throws it.
        public mutating func next() async throws -> Element? {
            switch step {
            case .over: return nil
            case .stored:
                step = .fresh
                do { return try await landed(.peek) } catch let error as TarmacError where error.code == .notCached || error.response != nil {
                    return try await next()
                }
            case .fresh:
                step = .over
                return try await landed(.revalidate)
            }
        }

        private func landed(_ use: CacheRule.Use) async throws -> Element {
            var options = options
            // A call that asks for something else than the standard keeps that for its own request.
            let own = options.cache?.use ?? .standard
            var rule = options.cache ?? CacheRule(base: .inherited)
            rule.use = use == .revalidate && own != .standard ? own : use
            options.cache = rule
            // Nothing stored is no error to show, and looking takes no time to show either.
            if use == .peek { (options.presentsErrors, options.showsLoading) = (false, false) }
            return try await client.engine.land(endpoint, options, client.binding)
        }
    }
}

extension Client {
    /// What is stored for a call, then what the server says now: a screen is filled at once and brought up to date (YTK-32).
    ///
    /// The first value is what is stored, however old, unless the server forbids that; ``Landed/source`` tells. The second
    /// is always asked of the server, which may answer that nothing has changed. Without anything stored the server's value
    /// is the only one.
    public func updates<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> Updates<E> {
        Updates(self, endpoint, Options(configure))
    }
}
