public import TarmacCore

extension Options {
    /// The text that each call sends in the header field `Tarmac-__NAME__`. Default: none, ``__NAME__Rule/off``.
    public var __name__: __NAME__Rule? {
        get { self[Settings.__name__] }
        set { self[Settings.__name__] = newValue }
    }
}

extension Settings {
    package static let __name__ = Setting<__NAME__Rule>("__name__", default: .off) {
        $0.describe = { $0.description }
        $0.fault = { $0.fault }
        // Once a call, above the cache, so that a stored response knows the field it was asked for with.
        $0.stage(at: Seat(.call)) { rule, _ in rule.isOff ? nil : __NAME__Interceptor(policy: __NAME__Policy(rule: rule)) }
        // Calls with different texts are different requests and do not share an answer.
        $0.sharing = .compared
        $0.identity = { $0 }
    }
}
