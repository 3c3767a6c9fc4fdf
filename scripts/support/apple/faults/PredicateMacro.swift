// expected on ios, macos, tvos, watchos: 'Predicate' is only available in
import Foundation

func matches(_ predicate: Predicate<Int>) -> Bool { true }
