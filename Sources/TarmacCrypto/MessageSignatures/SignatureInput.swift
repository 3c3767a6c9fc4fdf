#if Crypto
import RawStructuredFieldValues
import TarmacCore

/// The covered components and parameters of one signature: a member of Signature-Input (RFC 9421 §2.3, §4.1).
struct SignatureInput {
    let components: [MessageComponent]
    private let parameters: StructuredField.Parameters

    init(_ components: [MessageComponent], parameters: StructuredField.Parameters) {
        self.components = components
        self.parameters = parameters
    }

    /// Creates the input from a received member. Throws a reason if it is not a list, names an unknown component
    /// parameter, or names a component twice.
    init(_ member: ItemOrInnerList) throws(Fault) {
        guard let list = member.innerList else { throw Fault(reason: "it is no list of components") }
        guard list.bareInnerList.count <= 128 else { throw Fault(reason: "it covers more than 128 components") }
        var components: [MessageComponent] = []
        for item in list.bareInnerList {
            guard let component = MessageComponent(item) else { throw Fault(reason: "it names a component that is not understood") }
            guard !components.contains(component) else { throw Fault(reason: "it names \(ShownID.text("\(component)")) twice") }
            components.append(component)
        }
        self.init(components, parameters: list.rfc9651Parameters)
    }

    struct Fault: Error {
        let reason: String
    }

    var created: Int64? { parameters["created"]?.integer }
    var expires: Int64? { parameters["expires"]?.integer }
    var keyID: String? { parameters["keyid"]?.string }
    var nonce: String? { parameters["nonce"]?.string }
    var algorithm: String? { parameters["alg"]?.string }
    var tag: String? { parameters["tag"]?.string }
    /// Whether a parameter has the wrong type.
    var isMistyped: Bool {
        for name in ["created", "expires"] where parameters[name] != nil && parameters[name]?.integer == nil { return true }
        for name in ["keyid", "nonce", "alg", "tag"] where parameters[name] != nil && parameters[name]?.string == nil { return true }
        return false
    }

    /// The member for the Signature-Input field.
    var member: ItemOrInnerList {
        var list = BareInnerList()
        for component in components { list.append(component.item) }
        return .innerList(InnerList(bareInnerList: list, parameters: parameters))
    }

    /// Returns the signature base (§2.5).
    func base(of message: SignedMessage) throws(ComponentFault) -> String {
        var base = ""
        for component in components {
            let value = try message.value(of: component)
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) else {
                throw ComponentFault(component, "its value is not ASCII; cover it with bs")
            }
            base += "\(component): \(value)\n"
        }
        guard let text = try? StructuredField.text(member) else { throw ComponentFault("a parameter of the signature is not ASCII") }
        return base + "\"@signature-params\": \(text)"
    }
}
#endif
