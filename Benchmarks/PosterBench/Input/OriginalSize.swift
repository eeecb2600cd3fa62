/// The sizes of measured originals, all with an aspect ratio of 2:3.
enum OriginalSize: Int, CaseIterable {
    case small = 500
    case medium = 1000
    case usual = 2000
    case large = 4000

    var width: Int { self.rawValue }
    var height: Int { self.rawValue * 3 / 2 }
    var name: String { "\(self.width)×\(self.height)" }
}
