public import TarmacCore

/// The rule that finds the next page of an endpoint.
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

    /// The state of the paging so far.
    struct Progress: Sendable {
        /// The number of pages received.
        var pages = 0
        /// The number of elements received, if the paging counts them.
        var elements = 0
        /// The endpoint of the last page.
        var endpoint: E
    }

    let next: @Sendable (Landed<E.Value>, inout Progress) throws -> Next?
    /// The parameters of the first call, besides its own.
    let first: ParameterList
    /// The reason why the rule cannot be used, or `nil`.
    let fault: String?
}

extension Paging {
    /// Finds the next page by the first link with the relation `next` (RFC 8288, RFC 5988).
    ///
    /// The target is relative to the URL of the response. Links about another resource (`anchor`) are skipped. There is
    /// no next page without such a link.
    public static var linkHeader: Paging { linkHeader(relation: "next") }

    /// Returns a paging that follows the first link with another relation, such as `prev`.
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

    /// Returns a paging that takes a cursor from the response and sends it as a parameter of the next call.
    ///
    /// The parameter goes into the query, or into the body of an endpoint whose parameters go there. There is no next
    /// page if the cursor is missing or empty.
    public static func cursor(_ parameter: String, _ cursor: @escaping @Sendable (E.Value) throws -> String?) -> Paging {
        Paging { landed, _ in
            guard let next = try cursor(landed.value), !next.isEmpty else { return nil }
            return .parameters([parameter: next])
        }
    }

    /// Returns a paging by page number. The last page is the first with no elements, or with fewer than `size`.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter that holds the page number.
    ///   - first: The number of the first page, which is sent too. Default: 1.
    ///   - size: The number of elements of a full page. Below one, the loop throws `TarmacError(.invalidOption)`. Default: unknown.
    ///   - count: Returns the number of elements of a page. A negative one counts as zero.
    public static func pageNumber(
        _ parameter: String, first: Int = 1, size: Int? = nil, _ count: @escaping @Sendable (E.Value) throws -> Int
    ) -> Paging {
        Paging(first: [parameter: first], size: size) { landed, course in
            let elements = try count(landed.value)
            return elements <= 0 || size.map { elements < $0 } ?? false ? nil : try following(parameter, first, course.pages)
        }
    }

    /// Returns a paging by the number of elements before a page. The last page is the first with none, or fewer than
    /// `size`.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter that holds the offset.
    ///   - first: The offset of the first page, which is sent too. Default: 0.
    ///   - size: The number of elements of a full page. Below one, the loop throws `TarmacError(.invalidOption)`. Default: unknown.
    ///   - count: Returns the number of elements of a page. A negative one counts as zero.
    public static func offset(
        _ parameter: String, first: Int = 0, size: Int? = nil, _ count: @escaping @Sendable (E.Value) throws -> Int
    ) -> Paging {
        Paging(first: [parameter: first], size: size) { landed, course in
            let elements = max(0, try count(landed.value))
            let (sum, isTooLarge) = course.elements.addingReportingOverflow(elements)
            course.elements = isTooLarge ? .max : sum
            return elements == 0 || size.map { elements < $0 } ?? false ? nil : try following(parameter, first, course.elements)
        }
    }

    /// Returns a paging that makes the next call from the last call and its page; `nil` after the last page.
    public static func next(_ next: @escaping @Sendable (E, Landed<E.Value>) throws -> E?) -> Paging {
        Paging { landed, course in
            guard let endpoint = try next(course.endpoint, landed) else { return nil }
            course.endpoint = endpoint
            return .endpoint(endpoint)
        }
    }

    init(_ next: @escaping @Sendable (Landed<E.Value>, inout Progress) throws -> Next?) {
        self.next = next
        (first, fault) = ([:], nil)
    }

    private init(first: ParameterList, size: Int?, _ next: @escaping @Sendable (Landed<E.Value>, inout Progress) throws -> Next?) {
        self.next = next
        self.first = first
        fault = size.flatMap { $0 < 1 ? "the size of a page is \($0), and must be at least 1" : nil }
    }

    /// Returns the parameter of the next page.
    private static func following(_ parameter: String, _ first: Int, _ count: Int) throws(TarmacError) -> Next {
        let (place, isTooLarge) = first.addingReportingOverflow(count)
        if isTooLarge {
            throw TarmacError(.invalidParameter, "the parameter \"\(parameter)\" of the next page is larger than a number can be: \(first) + \(count)")
        }
        return .parameters([parameter: place])
    }
}

extension Paging {
    /// The endpoint's own rule, or the Link header.
    static var standard: Paging {
        func own<Paged: PagedEndpoint>(_ type: Paged.Type) -> Any { Paging<Paged>.next { try $0.next(after: $1) } }
        return (E.self as? any PagedEndpoint.Type).flatMap { own($0) as? Paging } ?? .linkHeader
    }
}

extension Paging where E.Value: Collection {
    /// Returns a paging by page number, for a value that is the collection of its elements.
    public static func pageNumber(_ parameter: String, first: Int = 1, size: Int? = nil) -> Paging {
        pageNumber(parameter, first: first, size: size) { $0.count }
    }

    /// Returns a paging by offset, for a value that is the collection of its elements.
    public static func offset(_ parameter: String, first: Int = 0, size: Int? = nil) -> Paging {
        offset(parameter, first: first, size: size) { $0.count }
    }
}

extension WebLink {
    /// Whether the link is about the resource that responded (RFC 8288 §3.2).
    fileprivate func isAbout(_ url: HTTPURL) -> Bool {
        guard let anchor else { return true }
        return (try? url.resolving(anchor)) == url
    }
}
