import HTTPTypes
import TarmacCore

/// Decides what a partial file lets a request ask for, and what the answer means (pure; RFC 9110 §14, §13.1.5, §15.3.7, §15.5.17).
struct RangePolicy {
    /// What a request asks for.
    enum Ask: Equatable, Sendable {
        /// The file, from its first byte, without a Range.
        case whole
        /// The bytes from a position to the end, or to one before `to`.
        case from(Int64, to: Int64? = nil)

        /// The fields of the request. If-Range makes the server send the whole file when it is another by now.
        func fields(_ validator: RangeEntity.Validator?) -> HTTPFields {
            guard case .from(let start, let end) = self else { return [:] }
            var fields: HTTPFields = [.range: "bytes=\(start)-\(end.map { "\($0 - 1)" } ?? "")"]
            if let validator { fields[.ifRange] = validator.text }
            return fields
        }
    }

    /// What an answer means.
    enum Meaning: Equatable {
        /// The body is the file from its first byte on; what was there is of another.
        case whole(RangeEntity)
        /// The body is these bytes of the file.
        case part(Range<Int64>, RangeEntity)
        /// The partial file is the whole file.
        case complete
        /// The answer says nothing of the file: what is there stays.
        case refused
        /// The answer fits neither what was asked for nor what is there: ask for the whole.
        case unusable(String)
    }

    /// Asks for what is missing, where what is there can be relied on. Of a file that lacks nothing the last byte is asked for
    /// again: the answer proves that it is still the same.
    func ask(held: Int64, of entity: RangeEntity?) -> Ask {
        guard held > 0, let entity, entity.validator != nil else { return .whole }
        guard let total = entity.total else { return .from(held) }
        if held > total { return .whole }
        return .from(held == total ? total - 1 : held)
    }

    /// - Parameter entity: what the partial file is a part of; `nil` when there is none yet.
    func judge(_ response: Response, to ask: Ask, held: Int64, of entity: RangeEntity?) -> Meaning {
        switch response.status.code {
        // Decoded by a transport: the positions it states are those of other bytes.
        case 206: response.isCoded ? .unusable("a part of something compressed") : judgePart(response.headers, to: ask, of: entity)
        case 416: judgeUnsatisfied(response.headers, held: held, of: entity)
        case 200: .whole(RangeEntity(response, isWhole: true))
        // The whole in a proxy's words (RFC 9110 §15.3.4): no part of it can be completed.
        case 203: .whole(.unknown)
        // Accepted by the caller's own wish: its body is what he wants, but no answer to a Range.
        default: ask == .whole ? .whole(.unknown) : .refused
        }
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
