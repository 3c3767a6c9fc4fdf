public import TarmacCore

/// An endpoint that makes the call for the next page from the page before.
///
/// ```swift
/// struct ListProducts: PagedEndpoint, Encodable {
///     typealias Value = ProductPage
///     static let route: Route = .get("/products")
///     var after: String?
///     func next(after page: Landed<ProductPage>) -> ListProducts? { page.value.cursor.map { ListProducts(after: $0) } }
/// }
/// for try await page in client.pages(of: ListProducts()) { … }
/// ```
public protocol PagedEndpoint: Endpoint {
    /// Returns the call for the next page; `nil` after the last.
    func next(after page: Landed<Value>) throws -> Self?
}
