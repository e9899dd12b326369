export default function Index() {
  return <main>A floor.</main>;
}
