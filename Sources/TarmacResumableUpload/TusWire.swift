#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacSupport
import TarmacJSON
import TarmacTransfer

/// tus 1.0.0 (https://tus.io/protocols/resumable-upload).
struct TusWire: UploadWire {
    let settings: UploadProtocol

    var common: HTTPFields { [UploadField.resumable: "1.0.0"] }
    var contentType: String { "application/offset+octet-stream" }
    var endsWithLastByte: Bool { true }
    var statesOffset: Bool { true }

    func creation(_ source: UploadSource) throws(TarmacError) -> HTTPFields {
        var fields = common
        fields[UploadField.length] = String(source.length)
        let metadata = settings.metadata ?? ["filename": source.name, "filetype": MediaType.guessed(for: source.name)]
        // Sorted, so that the same upload has the same request.
        let pairs = metadata.ordered { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
        if !pairs.isEmpty { fields[UploadField.metadata] = pairs.joined(separator: ",") }
        return fields
    }

    func append(at offset: Int64, isLast: Bool) -> HTTPFields {
        var fields = common
        fields[UploadField.offset] = String(offset)
        return fields
    }

    func checksum(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> HTTPField {
        HTTPField(name: UploadField.checksum, value: "\(algorithm.tusName) \(Data(digest).base64EncodedString())")
    }

    // The request asks for the versions, so it does not send one.
    var question: HTTPFields { [:] }

    func abilities(_ headers: HTTPFields) throws(TarmacError) -> UploadAbilities {
        UploadAbilities(
            versions: UploadField.list(UploadField.version, in: headers), extensions: UploadField.list(UploadField.extensions, in: headers).map(Set.init),
            checksums: UploadField.list(UploadField.checksums, in: headers), maxSize: try UploadField.number(UploadField.maxSize, in: headers))
    }

    func state(_ headers: HTTPFields, now: Date) throws(TarmacError) -> UploadAnswer {
        var answer = UploadAnswer()
        answer.offset = try UploadField.number(UploadField.offset, in: headers)
        answer.length = try UploadField.number(UploadField.length, in: headers)
        answer.maxSize = try UploadField.number(UploadField.maxSize, in: headers)
        let year = HTTPDate.year(ofSecondsSince1970: now.timeIntervalSince1970)
        answer.expires = headers[UploadField.expires].flatMap { HTTPDate.seconds($0, currentYear: year) }.map { Date(timeIntervalSince1970: Double($0)) }
        return answer
    }
}
