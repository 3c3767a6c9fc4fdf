public import TarmacCore

extension Options {
    /// The text that each call sends in the header field `Tarmac-__NAME__`. Default: none, ``__NAME__Rule/off``.
    public var __name__: __NAME__Rule? {
        get { self[__NAME__Option.self] }
        set { self[__NAME__Option.self] = newValue }
    }
}

package enum __NAME__Option: OptionKey {
    package static let name = "__name__"
    package static var defaultValue: __NAME__Rule { .off }
    /// A call's rule replaces its endpoint's, that of its endpoint its service's, and so on.
    package static func merge(_ upper: __NAME__Rule, over lower: __NAME__Rule) -> __NAME__Rule { upper }
    package static func describe(_ rule: __NAME__Rule) -> String { rule.description }
    package static func fault(of rule: __NAME__Rule) -> String? { rule.fault }
    /// Once a call, above the cache, so that a stored response knows the field it was asked for with.
    package static var seat: Seat? { Seat(.call) }
    package static func stage(_ rule: __NAME__Rule, in scope: StageScope) -> (any Interceptor)? {
        rule.isOff ? nil : __NAME__Interceptor(policy: __NAME__Policy(rule: rule))
    }
    /// Calls with different texts are different requests and do not share an answer.
    package static var sharing: ResponseSharing { .compared }
    package static func sharingIdentity(of rule: __NAME__Rule) -> AnyHashable { rule }
}
