/// The sizes of originals that are measured, all two to three.
enum OriginalSize: Int, CaseIterable {
    case small = 500
    case medium = 1000
    case usual = 2000
    case large = 4000

    var width: Int { self.rawValue }
    var height: Int { self.rawValue * 3 / 2 }
    var name: String { "\(self.width)×\(self.height)" }
}
