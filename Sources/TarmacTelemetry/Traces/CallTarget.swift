#if Telemetry
import TarmacCore
import TarmacMasking

/// The names of a call that are few enough for names of spans and dimensions of metrics.
struct CallTarget {
    /// The URI template of the request, with credentials masked. `nil` if there is none, or if it may be a path with values in it.
    let template: String?
    /// The endpoint's name. `nil` if it may hold values.
    let endpoint: String?

    init(_ context: CallContext) { self.init(endpoint: context.endpoint, template: context.template) }

    init(endpoint: String, template: String?) {
        // An inline call is named by its route. One without variables may have its values written into the path.
        let isInline = endpoint.contains(" ")
        let isFixed = !isInline || template?.contains("{") == true
        self.template = isFixed ? template.map { ShownURL.text($0) } : nil
        self.endpoint = isFixed ? endpoint : nil
    }
}
#endif
