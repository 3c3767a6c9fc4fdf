#if Telemetry
import TarmacCore
import TarmacMasking
import Tracing

/// The names of a call that are few enough for names of spans and dimensions of metrics.
struct CallTarget {
    /// The URI template of the request, with credentials masked. `nil` if there is none, or if it may be a path with values in it.
    let template: String?
    /// The endpoint's name. `nil` if it may hold values.
    let endpoint: String?
    /// The name of a call's span: the endpoint's, or the method.
    let name: String

    init(_ context: CallContext) { self.init(endpoint: context.endpoint, template: context.template) }

    init(endpoint: String, template: String?) {
        // An inline call is named by its route. One without variables may have its values written into the path.
        let isInline = endpoint.contains(" ")
        let isFixed = !isInline || template?.contains("{") == true
        self.template = isFixed ? template.map { ShownURL.text($0) } : nil
        self.endpoint = isFixed ? endpoint : nil
        // An inline call is named "GET /users/17" or "raw GET".
        let words = endpoint.split(separator: " ", maxSplits: 1)
        name = isFixed ? endpoint : String((words.first == "raw" ? words.last : words.first) ?? "call")
    }

    /// Writes the attributes of a call's span that are known from its start.
    func describe(in attributes: inout SpanAttributes, service: String) {
        attributes["tarmac.service"] = service
        if let endpoint { attributes["tarmac.endpoint"] = endpoint }
    }
}
#endif
