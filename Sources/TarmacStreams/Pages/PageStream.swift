public import TarmacCore

/// The pages of an endpoint as a sequence. Each page is a separate call, which starts when the page is requested. All go under the login of the
/// first one: after that has ended, the next page throws `TarmacError(.loggedOut)`.
public struct PageStream<E: Endpoint>: AsyncSequence, Sendable {
    public typealias Element = Landed<E.Value>

    let endpoint: E
    /// The client, kept alive by the sequence and its iterators.
    let client: Client
    let options: Options
    let paging: Paging<E>
    let limit: Int

    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    public struct Iterator: AsyncIteratorProtocol {
        private let run: PageRun<E>

        init(stream: PageStream) { run = PageRun(stream) }

        /// Returns the next page; `nil` after the last. Throws `TarmacError` or `CancellationError`.
        public mutating func next() async throws -> Landed<E.Value>? { try await run.next() }
    }

    fileprivate func land(_ next: Paging<E>.Next, _ policy: inout PagePolicy, _ login: inout CallLogin?) async throws -> Landed<E.Value> {
        switch next {
        case .url(let url):
            try await fly(endpoint, &policy, &login) { builder in
                var built = try builder.build(endpoint)
                built.request.url = try PagePolicy.checked(url, from: built.request.url, isOwn: builder.service.owns)
                return built
            }
        case .parameters(let added):
            try await fly(PageEndpoint(base: endpoint, added: added), &policy, &login) { try $0.build(PageEndpoint(base: endpoint, added: added)) }
        case .endpoint(let endpoint):
            try await fly(endpoint, &policy, &login) { try $0.build(endpoint) }
        }
    }

    private func fly<Page: Endpoint>(
        _ page: Page, _ policy: inout PagePolicy, _ login: inout CallLogin?, build: (RequestBuilder) throws -> RequestBuilder.Built
    ) async throws -> Landed<Page.Value> {
        var noted = policy, bound = login, binding = client.binding
        defer { (policy, login) = (noted, bound) }
        binding.login = login
        return try await Flight.fly(page, on: client.engine, for: binding, delivery: .buffered, call: options) { builder in
            let built = try build(builder)
            try noted.note(built.request)
            return built
        } land: { flight, response in
            bound = flight.context.boundLogin
            return try await flight.landed(page, page.landing, response)
        }
    }
}

/// The state of an iterator of pages.
private final class PageRun<E: Endpoint> {
    private let stream: PageStream<E>
    private var course: Paging<E>.Progress
    private var policy: PagePolicy
    private var login: CallLogin?
    private var last: Landed<E.Value>?
    private var isOver = false

    init(_ stream: PageStream<E>) {
        self.stream = stream
        course = .init(endpoint: stream.endpoint)
        policy = PagePolicy(limit: stream.limit)
    }

    func next() async throws -> Landed<E.Value>? {
        if isOver { return nil }
        do {
            guard let next = try following() else {
                isOver = true
                return nil
            }
            let landed = try await stream.land(next, &policy, &login)
            course.pages += 1
            last = landed
            return landed
        } catch {
            isOver = true
            throw TarmacError.publicError(error)
        }
    }

    private func following() throws -> Paging<E>.Next? {
        guard let last else {
            let limit = stream.limit < 1 ? "the limit of the pages is \(stream.limit), and must be at least 1" : nil
            if let fault = stream.paging.fault ?? limit { throw TarmacError(.invalidOption, fault) }
            return .parameters(stream.paging.first)
        }
        do { return try stream.paging.next(last, &course) } catch {
            guard let known = TarmacError.publicError(error) as? TarmacError else { throw error }
            let call = last.payload.call
            throw known.with(context: call.context(url: last.url, attempts: last.attempts, duration: last.duration)).with(response: last.payload.snapshot)
        }
    }
}

extension PageStream where E.Value: Sequence, E.Value.Element: Sendable {
    /// The elements of all pages, in order.
    public var elements: PageElements<E, E.Value> { elements { $0 } }
}

extension PageStream {
    /// Returns the elements of all pages, in order. A closure finds them in each page.
    ///
    /// ```swift
    /// for try await product in client.pages(of: ListProducts()).elements({ $0.items }) { … }
    /// ```
    public func elements<Elements: Sequence & Sendable>(_ elements: @escaping @Sendable (E.Value) -> Elements) -> PageElements<E, Elements>
    where Elements.Element: Sendable {
        PageElements(pages: self, elements: elements)
    }
}

/// The elements of all pages of an endpoint.
public struct PageElements<E: Endpoint, Elements: Sequence & Sendable>: AsyncSequence, Sendable where Elements.Element: Sendable {
    public typealias Element = Elements.Element

    let pages: PageStream<E>
    let elements: @Sendable (E.Value) -> Elements

    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), elements: elements) }

    public struct Iterator: AsyncIteratorProtocol {
        var pages: PageStream<E>.Iterator
        let elements: @Sendable (E.Value) -> Elements
        var page: Elements.Iterator?

        /// Returns the next element, from the current page or a later one; `nil` after the last. Throws `TarmacError`
        /// or `CancellationError`.
        public mutating func next() async throws -> Elements.Element? {
            while true {
                if let element = page?.next() { return element }
                page = nil
                guard let landed = try await pages.next() else { return nil }
                page = elements(landed.value).makeIterator()
            }
        }
    }
}
