// expected on ios, macos, tvos, watchos, visionos: 'DiscreteFormatStyle' is only available in
import Foundation

func shown<Style: DiscreteFormatStyle>(_ value: Style.FormatInput, _ style: Style) -> Style.FormatOutput { style.format(value) }
