#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields Signature-Input and Signature of a message (RFC 9421 §4).
enum SignatureFields {
    static let input = HTTPField.Name("Signature-Input") ?? .contentType
    static let signature = HTTPField.Name("Signature") ?? .contentType
    /// More signatures than this on one message are an attack or a mistake.
    static let maximumCount = 16

    /// Adds a signature, replacing one with the same label.
    static func add(_ input: SignatureInput, signature: [UInt8], label: String, to headers: inout HTTPFields) throws(TarmacError) {
        do {
            var inputs = try StructuredField.dictionary(headers[self.input] ?? "")
            var signatures = try StructuredField.dictionary(headers[self.signature] ?? "")
            inputs[label] = input.member
            signatures[label] = StructuredField.item(StructuredField.bytes(signature))
            headers[self.input] = try StructuredField.text(inputs)
            headers[self.signature] = try StructuredField.text(signatures)
        } catch {
            throw TarmacError(
                .invalidOption, phase: .sending, "the signature cannot be written: the label \(label), or the Signature fields that are there, are malformed",
                suggestion: "use lower-case letters and digits for the label")
        }
    }

    /// A received signature.
    struct Received {
        let label: String
        /// The input; without components if there is a fault.
        let input: SignatureInput
        /// The reason why the signature cannot be parsed. It matters only if this signature is used: a proxy may add
        /// others.
        let fault: String?
        let signature: Data
    }

    /// - Throws: `.signatureMissing`, or `.signatureInvalid` for fields that are malformed, too long, or have too many
    ///   members, and for a repeated label, of which readers might choose different ones.
    static func received(_ headers: HTTPFields) throws(TarmacError) -> [Received] {
        guard let inputText = headers[input], let signatureText = headers[signature] else {
            throw .unsigned("it has no Signature-Input and Signature")
        }
        if StructuredField.isTooLong(inputText) || StructuredField.isTooLong(signatureText) {
            throw .badSignature("its Signature-Input or Signature is too long to be read")
        }
        let counts = (StructuredField.memberCount(inputText), StructuredField.memberCount(signatureText))
        guard max(counts.0, counts.1) <= maximumCount else { throw .badSignature("there are more than \(maximumCount)") }
        guard let inputs = try? StructuredField.dictionary(inputText), let signatures = try? StructuredField.dictionary(signatureText) else {
            throw .badSignature("its Signature-Input or Signature is malformed")
        }
        guard counts == (inputs.count, signatures.count) else { throw .badSignature("a label comes twice") }
        var received: [Received] = []
        for (label, member) in inputs {
            guard let signature = signatures[label]?.bare?.data else { continue }
            do throws(SignatureInput.Fault) {
                received.append(Received(label: label, input: try SignatureInput(member), fault: nil, signature: signature))
            } catch {
                let input = SignatureInput([], parameters: member.innerList?.rfc9651Parameters ?? [:])
                received.append(Received(label: label, input: input, fault: error.reason, signature: signature))
            }
        }
        if received.isEmpty { throw .unsigned("no label is in both Signature-Input and Signature") }
        return received
    }
}
#endif
