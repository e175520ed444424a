#include "field_output.hpp"

#include <ermine/error.hpp>

#include "planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace channel {
namespace {

void write_xdmf(const std::filesystem::path& path, const Mesh& mesh, double time,
                const std::vector<NamedField>& fields) {
  const auto h5 = path.filename().string();
  const auto axis = [&](const char* name, int nodes) {
    return fmt::format(
        "      <DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">"
        "{}:/{}</DataItem>\n",
        nodes, h5, name);
  };
  // The fastest axis of the file is y: it comes first of the three.
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"><Domain>\n  <Grid Name=\"channel\" "
      "GridType=\"Uniform\">\n    <Time Value=\"{}\"/>\n    <Topology TopologyType=\"3DRectMesh\" "
      "Dimensions=\"{} {} {}\"/>\n    <Geometry GeometryType=\"VXVYVZ\">\n",
      time, mesh.nx() + 1, mesh.nz + 1, mesh.ny + 1);
  text += axis("y_faces", mesh.ny + 1) + axis("z_faces", mesh.nz + 1) +
          axis("x_faces", mesh.nx() + 1) + "    </Geometry>\n";
  for (const NamedField& field : fields) {
    text += fmt::format(
        "    <Attribute Name=\"{0}\" AttributeType=\"Scalar\" Center=\"Cell\">\n      <DataItem "
        "Dimensions=\"{1} {2} {3}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">"
        "{4}:/{0}</DataItem>\n    </Attribute>\n",
        field.name, mesh.nx(), mesh.nz, mesh.ny, h5);
  }
  text += "  </Grid>\n</Domain></Xdmf>\n";
  auto beside = path;
  beside.replace_extension(".xdmf");
  ermine::PendingFile file(beside);
  file.write(text);
  file.commit();
}

std::vector<double> uniform_faces(int cells, double width) {
  std::vector<double> faces;
  for (int n = 0; n <= cells; ++n) faces.push_back(n * width);
  return faces;
}

}  // namespace

void write_field(Flow& flow, Hdf5Writer* file, const std::string& name, const double* field) {
  const Mesh& mesh = flow.options().mesh;
  const auto nx = static_cast<hsize_t>(mesh.nx());
  std::string error;
  const auto try_to = [&](auto&& act) {
    if (!file || !error.empty()) return;
    try {
      act();
    } catch (const std::exception& failure) {
      error = failure.what();
    }
  };
  try_to([&] {
    file->begin_planes(name, {nx, static_cast<hsize_t>(mesh.nz), static_cast<hsize_t>(mesh.ny)});
  });
  for (hsize_t i = 0; i < nx; ++i) {
    const std::vector<double> plane = gather_plane(flow, field, static_cast<int>(i));
    try_to([&] { file->plane(i, plane.data()); });
  }
  try_to([&] { file->end_planes(); });
  flow.ranks().agree(error);
}

void read_field(Flow& flow, const Hdf5Reader& file, const std::string& name, double* field) {
  const Layout layout = flow.layout();
  const Mesh& mesh = flow.options().mesh;
  std::vector<double> host(static_cast<std::size_t>(layout.size()));
  const Extent wanted{static_cast<hsize_t>(mesh.nx()), static_cast<hsize_t>(mesh.nz),
                      static_cast<hsize_t>(mesh.ny)};
  const Extent there = file.extent(name);
  if (there != wanted) {
    throw ermine::Error(fmt::format(
        "the restart file has {} cells of {}, the case {} x {} x {}; give grid.cells of the run it "
        "comes from",
        there.size() == 3 ? fmt::format("{} x {} x {}", there[0], there[2], there[1]) : "other",
        name, wanted[0], wanted[2], wanted[1]));
  }
  // Every process reads the file: its own rows of each plane.
  const int first = flow.ranks().begin(mesh.nz);
  for (int i = 0; i < layout.nx; ++i) {
    const std::vector<double> plane = file.plane(name, static_cast<hsize_t>(i));
    for (int k = 0; k < layout.nz; ++k) {
      std::copy_n(plane.begin() + static_cast<std::ptrdiff_t>(first + k) * layout.ny, layout.ny,
                  host.begin() + layout.at(i, 0, k));
    }
  }
  flow.write(host.data(), field);
}

void write_slices(Flow& flow, const std::filesystem::path& path, const std::vector<double>& planes,
                  double time, const std::vector<NamedField>& fields) {
  const Mesh& mesh = flow.options().mesh;
  std::vector<std::vector<double>> gathered;
  for (const double x : planes) {
    for (const NamedField& field : fields) {
      gathered.push_back(gather_plane(flow, field.values, cell_at(mesh, x)));
    }
  }
  on_first(flow.ranks(), [&] {
    Hdf5Writer file(path);
    file.numbers("time", {time});
    file.numbers("y_faces", uniform_faces(mesh.ny, mesh.dy()));
    file.numbers("z_faces", uniform_faces(mesh.nz, mesh.dz()));
    std::size_t n = 0;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      file.numbers(fmt::format("plane_{}/x", p), {mesh.centre(cell_at(mesh, planes[p]))});
      for (const NamedField& field : fields) {
        file.numbers(fmt::format("plane_{}/{}", p, field.name),
                     {static_cast<hsize_t>(mesh.nz), static_cast<hsize_t>(mesh.ny)},
                     gathered[n++].data());
      }
    }
    file.commit();
  });
}

void write_fields(Flow& flow, const std::filesystem::path& path, double time,
                  const std::vector<NamedField>& fields) {
  const Mesh& mesh = flow.options().mesh;
  std::unique_ptr<Hdf5Writer> file;
  on_first(flow.ranks(), [&] {
    file = std::make_unique<Hdf5Writer>(path);
    file->numbers("time", {time});
    file->numbers("x_faces", mesh.x_faces);
    file->numbers("y_faces", uniform_faces(mesh.ny, mesh.dy()));
    file->numbers("z_faces", uniform_faces(mesh.nz, mesh.dz()));
  });
  for (const NamedField& field : fields) write_field(flow, file.get(), field.name, field.values);
  on_first(flow.ranks(), [&] {
    file->commit();
    write_xdmf(path, mesh, time, fields);
  });
}

}  // namespace channel
