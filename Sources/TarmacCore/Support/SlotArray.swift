/// Elements that are found by a number without a search. The number of a removed element is used again.
package struct SlotArray<Element> {
    private var places: [Element?] = []
    private var free: [Int] = []

    package init() {}

    /// Adds an element and returns its number.
    package mutating func enter(_ element: Element) -> Int {
        guard let place = free.popLast() else {
            places.append(element)
            return places.count - 1
        }
        places[place] = element
        return place
    }

    /// Removes an element and returns it, so that the caller can release it outside of any lock.
    package mutating func leave(_ place: Int) -> Element? {
        defer { places[place] = nil }
        free.append(place)
        return places[place]
    }

    package var isEmpty: Bool { free.count == places.count }

    /// The numbers of the elements.
    package var occupied: [Int] { places.indices.filter { places[$0] != nil } }

    /// All elements.
    package var all: [Element] { places.compactMap(\.self) }
}

extension SlotArray: Sendable where Element: Sendable {}
