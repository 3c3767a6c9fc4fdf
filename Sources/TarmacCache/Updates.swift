public import TarmacCore
import TarmacSupport

/// The values of a call as a sequence: first the stored value, if there is one, then the server's.
///
/// ```swift
/// for try await update in client.updates(Feed()) { render(update.value, cached: update.source.isCache) }
/// ```
/// Each request is sent when its value is requested. Leaving the loop sends no further request.
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
        private var hasStored = false

        init(client: Client, endpoint: E, options: Options) {
            self.client = client
            self.endpoint = endpoint
            self.options = options
        }

        /// Returns the next value, or `nil` after the server's.
        ///
        /// - Throws: the error of the server's call, as ``CallSender/send(_:configure:)->_`` does. That is also the case after a stored
        ///   value, so that the screen can say that it is not up to date.
        public mutating func next() async throws -> Element? {
            switch step {
            case .over: return nil
            case .stored:
                step = .fresh
                // A look that finds nothing is no call, which observers would see fail.
                guard await client.hasStored(endpoint, options) else { return try await next() }
                do {
                    let stored = try await landed(.peek)
                    hasStored = true
                    return stored
                } catch let error as TarmacError where error.code == .notCached || error.response != nil {
                    return try await next()
                }
            case .fresh:
                step = .over
                return try await landed(.revalidate)
            }
        }

        private func landed(_ use: CacheRule.Use) async throws -> Element {
            var options = options
            // A call with its own use of the cache keeps it for its own request.
            let own = options.cache?.use ?? .standard
            var rule = options.cache ?? CacheRule(base: .inherited)
            rule.use = use == .revalidate && own != .standard ? own : use
            // The stored value again would hide that the server was not reached.
            rule.needsServer = hasStored
            options.cache = rule
            // The lookup is too short for a loading indication, and its failure is none of the screen's.
            if use == .peek { (options[Settings.presentsErrors], options[Settings.showsLoading]) = (false, false) }
            return try await client.engine.land(endpoint, options, client.binding)
        }
    }
}

extension Client {
    /// Returns the stored value of a call, then the server's current value, so that a screen is filled immediately and
    /// then updated.
    ///
    /// The first value is the stored one at any age, unless the server forbids that; ``Landed/source`` identifies it.
    /// The second value comes from the server, which may answer that nothing has changed. If nothing is stored, the
    /// server's value is the only one. A call that sets another use of the cache, such as ``CacheRule/reload``, keeps
    /// it for its second value.
    public func updates<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> Updates<E> {
        Updates(self, endpoint, Options(configure))
    }
}
