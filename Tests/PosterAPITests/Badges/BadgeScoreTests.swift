import Foundation
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct BadgeScoreTests {
    @Test(
        "a score has the form of its site",
        arguments: [
            (.imdb, 0.87, "IMDb 8.7"), (.imdb, 1, "IMDb 10.0"), (.imdb, 0, "IMDb 0.0"), (.tmdb, 0.8163, "TMDB 8.2"),
            (.rt, 0.88, "RT 88 %"), (.popcorn, 0.91, "Popcorn 91 %"), (.metacritic, 0.73, "MC 73"),
            (.trakt, 0.81, "Trakt 81 %"), (.letterboxd, 0.84, "LB 4.2"), (.mal, 0.81, "MAL 8.1"),
            (.sample, 0.7, "Sample 7.0"),
        ] as [(BadgeSource, Double, String)])
    func texts(source: BadgeSource, fraction: Double, text: String) throws {
        let score = try #require(BadgeScore(fraction: fraction, at: source))
        #expect(source.text(of: score) == text)
        #expect(text.count <= Badges.Badge.maxTextLength)
    }

    @Test(arguments: [-0.01, 1.01, .nan, .infinity])
    func aScoreOutsideOfItsScaleIsRefused(fraction: Double) {
        #expect(BadgeScore(fraction: fraction, at: .imdb) == nil)
    }

    @Test func aColourTellsTheRangeOfTheScore() {
        let ranges = [0...39, 40...49, 50...60, 61...74, 75...100]
        let colours = ranges.map { range in Set(range.map(BadgeColours.colour(percentage:))) }
        #expect(colours.allSatisfy { $0.count == 1 })
        #expect(Set(colours).count == ranges.count)
    }

    @Test func equalScoresHaveEqualColoursAtAllScales() throws {
        let five = try #require(BadgeScore(fraction: 0.84, at: .letterboxd))
        let ten = try #require(BadgeScore(fraction: 0.84, at: .imdb))
        #expect(five.percentage == 84 && ten.percentage == 84)
        #expect(BadgeColours.value.colour(of: five, at: .letterboxd) == BadgeColours.value.colour(of: ten, at: .imdb))
        #expect(BadgeColours.source.colour(of: five, at: .letterboxd) == BadgeSource.letterboxd.colour)
    }

    @Test func everyColourContrastsWithWhiteOrBlack() {
        let colours =
            (0...100).map(BadgeColours.colour(percentage:)) + BadgeSource.allCases.map(\.colour) + [BadgeColours.text]
        for colour in colours {
            let light = Self.luminance(colour)
            #expect(max(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= 5, "\(colour)")
        }
    }

    /// WCAG 2.2, relative luminance.
    private static func luminance(_ colour: RenderTarget.Colour) -> Double {
        let parts = [colour.red, colour.green, colour.blue].map { value -> Double in
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
