#if Inspector
/// A request to the server, without its body.
struct InspectorRequest: Sendable {
    let method: String
    let path: String
    private let query: [(name: String, value: String)]
    /// The names are in lower case.
    private let headers: [String: String]

    init(_ method: String, _ path: String, query: [(name: String, value: String)] = [], headers: [(name: String, value: String)] = []) {
        (self.method, self.path, self.query) = (method, path, query)
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    var host: String? { header("host") }
    /// The gate refuses a request that has another kind of length.
    var bodyLength: Int { max(header("content-length").flatMap { Int($0) } ?? 0, 0) }
    var endsConnection: Bool { header("connection")?.lowercased().contains("close") == true }
    func header(_ name: String) -> String? { headers[name] }
    /// `nil` as well if the parameter occurs more than once.
    func query(_ name: String) -> String? {
        let values = query.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}
#endif
