import FoundationEssentials
import PosterTesting
import Testing

@testable import MovieCompatibility

struct TMDBTimeZonesTests {
    private let folder = TemporaryFolder()

    private func timeZones(_ text: String) throws -> TMDBTimeZones {
        try Data(text.utf8).write(to: URL(filePath: "\(self.folder.path)/\(TMDBTimeZones.fileName)"))
        return try TMDBTimeZones(directory: self.folder.path)
    }

    @Test func theProgramsFileHasEachCountryOnceByCode() throws {
        let rows = try TMDBTimeZones().document.elements
        let codes = rows.compactMap { $0["iso_3166_1"]?.string }
        #expect(codes.count == rows.count && Set(codes).count == codes.count)
        #expect(codes == codes.sorted())
        let seoul = rows.first { $0["iso_3166_1"]?.string == "KR" }
        #expect(seoul?["zones"] == OrderedJSON.strings(["Asia/Seoul"]))
    }

    @Test func aRowHasAllZonesOfACountryInTheirOrder() throws {
        let timeZones = try self.timeZones("KR Asia/Seoul\nNZ Pacific/Chatham Pacific/Auckland\n")
        let zones: [OrderedJSON] = timeZones.document.elements.compactMap { $0["zones"] }
        #expect(zones == [.strings(["Asia/Seoul"]), .strings(["Pacific/Chatham", "Pacific/Auckland"])])
    }

    @Test(arguments: [("", "empty"), ("KR Asia/Seoul\nKP\n", "no time zone: KP")])
    func aFaultOfTheFileIsNamed(text: String, says: String) throws {
        let fault = #expect(throws: TMDBTimeZones.Unreadable.self) { try self.timeZones(text) }
        let description = try #require(fault).description
        #expect(description.contains(self.folder.path) && description.contains(says))
    }

    @Test func aMissingFileIsNamed() throws {
        let fault = #expect(throws: TMDBTimeZones.Unreadable.self) { try TMDBTimeZones(directory: self.folder.path) }
        #expect(try #require(fault).description.contains("\(self.folder.path)/\(TMDBTimeZones.fileName)"))
    }
}
