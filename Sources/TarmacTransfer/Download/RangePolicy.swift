import HTTPTypes
import TarmacCore
import TarmacSupport

/// Decides what a partial file lets a request ask for, and what the response means (pure; RFC 9110 §14, §13.1.5,
/// §15.3.7, §15.5.17).
struct RangePolicy {
    /// The content that a request asks for.
    enum Ask: Equatable, Sendable {
        /// The file from its first byte, without a Range.
        case whole
        /// The bytes from a position to the end, or up to but not including `to`.
        case from(Int64, to: Int64? = nil)

        /// Whether a part ends where the request asks.
        func isEnd(_ part: Range<Int64>) -> Bool { if case .from(_, part.upperBound?) = self { true } else { false } }

        /// Returns the fields of the request. If-Range makes the server send the whole file if it has changed.
        func fields(_ validator: RangeEntity.Validator?) -> HTTPFields {
            guard case .from(let start, let end) = self else { return [:] }
            var fields: HTTPFields = [.range: "bytes=\(start)-\(end.map { "\($0 - 1)" } ?? "")"]
            if let validator { fields[.ifRange] = validator.text }
            return fields
        }
    }

    /// The meaning of a response.
    enum Meaning: Equatable {
        /// The body is the file from its first byte; the existing bytes belong to another.
        case whole(RangeEntity)
        /// The body is this range of the file.
        case part(Range<Int64>, RangeEntity)
        /// The partial file is complete.
        case complete
        /// The response does not contain the file; the existing bytes stay.
        case refused
        /// The response fits neither the request nor the existing bytes: request the whole file.
        case unusable(String)
    }

    /// Returns the request for the missing bytes, if the existing ones are usable. If no bytes are missing, it asks for
    /// the last byte again: the response proves that the file is still the same.
    func ask(held: Int64, of entity: RangeEntity?) -> Ask {
        guard held > 0, let entity, entity.validator != nil else { return .whole }
        guard let total = entity.total else { return .from(held) }
        if held > total { return .whole }
        return .from(held == total ? total - 1 : held)
    }

    /// - Parameter entity: The entity of the partial file; `nil` if there is none yet.
    func judge(_ response: Response, to ask: Ask, held: Int64, of entity: RangeEntity?) -> Meaning {
        switch response.status.code {
        // A transport decoded it: its positions refer to other bytes.
        case 206: response.isCoded ? .unusable("a part of something compressed") : judgePart(response.headers, to: ask, of: entity)
        case 416: judgeUnsatisfied(response.headers, held: held, of: entity)
        case 200, 203: judgeWhole(response, to: ask, of: entity)
        // The caller accepts this status. The body is the result, but not an answer to a Range.
        default: ask == .whole ? .whole(.unknown) : .refused
        }
    }

    /// By RFC 9110 §14.2 a 200 to a Range is the whole file, but servers also send the rest of it under that status. So its
    /// length or its validator must show that it is the whole.
    private func judgeWhole(_ response: Response, to ask: Ask, of entity: RangeEntity?) -> Meaning {
        let stated = RangeEntity(response, isWhole: true)
        // A proxy may have changed the content of a 203 (RFC 9110 §15.3.4), so no part of it can be completed.
        let whole = response.status.code == 203 ? .unknown : stated
        guard case .from(let start, let end) = ask, !response.isCoded else { return .whole(whole) }
        if response.headers.contains(.contentRange) { return .unusable("status \(response.status.code) with a Content-Range") }
        let isSame = entity?.agrees(with: response.headers) == true
        if let length = stated.total {
            if length == entity?.total { return .whole(whole) }
            if length == (end ?? entity?.total).map({ $0 - start }) { return .unusable("the \(length) bytes from \(start) on as the whole") }
            if !isSame || entity?.total != nil { return .whole(whole) }
        } else if !isSame, stated.validator != nil, entity != nil {
            return .whole(whole)
        }
        return .unusable("status \(response.status.code) for a range, and nothing that shows it is the whole")
    }

    private func judgePart(_ headers: HTTPFields, to ask: Ask, of entity: RangeEntity?) -> Meaning {
        guard case .from(let start, let end) = ask else { return .unusable("a part although the whole was asked for") }
        if MediaType(headers[.contentType])?.essence == "multipart/byteranges" { return .unusable("several parts although one was asked for") }
        guard case .part(let range, let total) = ContentRange(headers[.contentRange]) else { return .unusable("a part without a valid Content-Range") }
        guard range.lowerBound == start, range.upperBound <= end ?? .max else {
            return .unusable("the bytes \(range.lowerBound) to \(range.upperBound - 1) although those from \(start) on were asked for")
        }
        guard let entity else {
            var first = RangeEntity(headers, isWhole: false)
            first.total = total
            return .part(range, first)
        }
        guard entity.agrees(with: headers) else { return .unusable("a part of another version") }
        if let known = entity.total, total ?? known != known || range.upperBound > known { return .unusable("a part of a file of another length") }
        var same = entity
        same.total = entity.total ?? total
        return .part(range, same)
    }

    private func judgeUnsatisfied(_ headers: HTTPFields, held: Int64, of entity: RangeEntity?) -> Meaning {
        guard let entity, entity.agrees(with: headers), case .unsatisfied(let total) = ContentRange(headers[.contentRange]),
            total == held, entity.total ?? total == total
        else {
            return .unusable("that the range does not exist")
        }
        return .complete
    }
}
