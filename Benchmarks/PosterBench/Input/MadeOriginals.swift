import CPosterBench
import FoundationEssentials
import Glibc

/// One committed poster in every coding and size, generated once and kept in a folder.
struct MadeOriginals {
    /// 2000×3000, with film grain.
    static let poster = "\(PictureFiles.posters)/nosferatu-1922.jpg"
    /// Quality of the JPEGs and the lossy WebPs.
    static let quality: Int32 = 90
    /// Part of the folder's name, so that files made by another recipe are not used.
    private static let recipe = 1

    private let folder: String

    /// - Parameter folder: Created if it does not exist.
    init(in folder: String = ".build/bench-originals") {
        self.folder = "\(folder)-\(Self.recipe)"
    }

    /// Returns the file's path; creates the file if it is missing.
    func file(_ kind: OriginalKind, _ size: OriginalSize) throws -> String {
        let path = "\(self.folder)/\(size.width)x\(size.height)-\(kind.fileName)"
        if FileManager.default.fileExists(atPath: path) { return path }
        do {
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        } catch {
            throw BenchError("cannot make the folder \(self.folder): \(error)")
        }
        // Written under another name first, so that an incomplete file is not used.
        let draft = "\(path).part"
        let bitmap = try Self.bitmap(size)
        guard Self.write(bitmap, as: kind, to: draft) != 0, rename(draft, path) == 0 else {
            throw BenchError("cannot write \(path)")
        }
        return path
    }

    private static func write(_ bitmap: borrowing Bitmap, as kind: OriginalKind, to path: String) -> Int32 {
        let (width, height) = (UInt32(bitmap.width), UInt32(bitmap.height))
        return switch kind {
        case .baselineJPEG: poster_bench_write_jpeg(path, bitmap.samples, width, height, self.quality, 0)
        case .progressiveJPEG: poster_bench_write_jpeg(path, bitmap.samples, width, height, self.quality, 1)
        case .png: poster_bench_write_png(path, bitmap.samples, width, height, 0)
        case .interlacedPNG: poster_bench_write_png(path, bitmap.samples, width, height, 1)
        case .lossyWebP: poster_bench_write_webp(path, bitmap.samples, width, height, self.quality, 0)
        case .losslessWebP: poster_bench_write_webp(path, bitmap.samples, width, height, self.quality, 1)
        }
    }

    private static func bitmap(_ size: OriginalSize) throws -> Bitmap {
        guard FileManager.default.fileExists(atPath: self.poster) else {
            throw BenchError("there is no \(self.poster): run poster-bench from the repository's root, or name files")
        }
        let whole = try WholeDecoder.decode(MappedFile(self.poster))
        return switch size {
        case .small: whole.halved().halved()
        case .medium: whole.halved()
        case .usual: whole
        case .large: whole.tiled()
        }
    }
}
