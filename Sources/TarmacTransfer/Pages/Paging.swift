public import TarmacCore

/// Where the next page of an endpoint is found.
///
/// ```swift
/// client.pages(of: ListRepos(), by: .linkHeader)
/// client.pages(of: ListProducts(), by: .cursor("after") { $0.nextCursor })
/// client.pages(of: ListOrders(), by: .pageNumber("page", first: 1, size: 50) { $0.orders.count })
/// ```
public struct Paging<E: Endpoint>: Sendable {
    /// The next call.
    enum Next: Sendable {
        /// The first call at another URL.
        case url(HTTPURL)
        /// The first call with other parameters.
        case parameters(ParameterList)
        case endpoint(E)
    }

    /// What there was so far.
    struct Course: Sendable {
        /// How many pages have landed.
        var pages = 0
        /// How many elements they had, as far as the paging counts them.
        var elements = 0
        /// The endpoint of the last page.
        var endpoint: E
    }

    let next: @Sendable (Landed<E.Value>, inout Course) throws -> Next?
    /// What the first call has besides its own parameters.
    let first: ParameterList
}

extension Paging {
    /// The target of the first link with the relation `next` (RFC 8288, RFC 5988), relative to the URL that answered. Links
    /// about another resource (`anchor`) are passed over. There is no next page without such a link.
    public static var linkHeader: Paging { linkHeader(relation: "next") }

    /// The same with another relation, such as `prev`.
    public static func linkHeader(relation: String) -> Paging {
        let relation = relation.lowercased()
        return Paging { landed, _ in
            let links = WebLink.links(in: landed.headers)
            guard let link = links.first(where: { $0.relations.contains(relation) && $0.isAbout(landed.url) }) else { return nil }
            do throws(TarmacError) { return .url(try landed.url.resolving(link.target)) } catch {
                throw TarmacError(.pageRefused, phase: .building, "the link to the next page cannot be followed: \(error.reason)", cause: error)
            }
        }
    }

    /// A cursor in the answer that becomes a parameter of the next call: of its query, or of its body where parameters go
    /// there. There is no next page without a cursor, or with an empty one.
    public static func cursor(_ parameter: String, _ cursor: @escaping @Sendable (E.Value) throws -> String?) -> Paging {
        Paging { landed, _ in
            guard let next = try cursor(landed.value), !next.isEmpty else { return nil }
            return .parameters([parameter: next])
        }
    }

    /// Numbered pages. The last is the first that has no elements, or fewer than `size`.
    ///
    /// - Parameters:
    ///   - first: the number of the first page, which is sent too. Default 1.
    ///   - size: how many elements a full page has. Default: unknown.
    ///   - count: how many elements a page has.
    public static func pageNumber(
        _ parameter: String, first: Int = 1, size: Int? = nil, _ count: @escaping @Sendable (E.Value) throws -> Int
    ) -> Paging {
        Paging(first: [parameter: first]) { landed, course in
            let elements = try count(landed.value)
            return elements == 0 || size.map { elements < $0 } ?? false ? nil : .parameters([parameter: first + course.pages])
        }
    }

    /// Pages that begin after so many elements. The last is the first that has none, or fewer than `size`.
    ///
    /// - Parameters:
    ///   - first: where the first page begins, which is sent too. Default 0.
    ///   - size: how many elements a full page has. Default: unknown.
    ///   - count: how many elements a page has.
    public static func offset(
        _ parameter: String, first: Int = 0, size: Int? = nil, _ count: @escaping @Sendable (E.Value) throws -> Int
    ) -> Paging {
        Paging(first: [parameter: first]) { landed, course in
            let elements = try count(landed.value)
            course.elements += elements
            return elements <= 0 || size.map { elements < $0 } ?? false ? nil : .parameters([parameter: first + course.elements])
        }
    }

    /// A call made of the last one and what it landed; `nil` after the last page.
    public static func next(_ next: @escaping @Sendable (E, Landed<E.Value>) throws -> E?) -> Paging {
        Paging { landed, course in
            guard let endpoint = try next(course.endpoint, landed) else { return nil }
            course.endpoint = endpoint
            return .endpoint(endpoint)
        }
    }

    init(_ next: @escaping @Sendable (Landed<E.Value>, inout Course) throws -> Next?) {
        self.next = next
        first = [:]
    }

    private init(first: ParameterList, _ next: @escaping @Sendable (Landed<E.Value>, inout Course) throws -> Next?) {
        self.next = next
        self.first = first
    }
}

extension Paging where E: PagedEndpoint {
    /// As the endpoint says itself.
    public static var endpoint: Paging { .next { try $0.next(after: $1) } }
}

extension Paging where E.Value: Collection {
    /// Numbered pages of a value that is the collection of its elements.
    public static func pageNumber(_ parameter: String, first: Int = 1, size: Int? = nil) -> Paging {
        pageNumber(parameter, first: first, size: size) { $0.count }
    }

    /// Pages of a value that is the collection of its elements, each after so many of them.
    public static func offset(_ parameter: String, first: Int = 0, size: Int? = nil) -> Paging {
        offset(parameter, first: first, size: size) { $0.count }
    }
}

extension WebLink {
    /// Whether it is about what answered (RFC 8288 §3.2).
    fileprivate func isAbout(_ url: HTTPURL) -> Bool {
        guard let anchor else { return true }
        return (try? url.resolving(anchor)) == url
    }
}
